-- Records an import in its own transaction: the journal names the objects that it has changed. Returns those that existed before.
-- Imports of more than 90 days ago are forgotten.
with forgotten as (
  delete from workgate.imports where at < now() - interval '90 days'
),
entry as (
  insert into workgate.imports (file, formats, project_ids, counts, undo_of)
  select :file, :formats::text[], array(select distinct id from target_projects order by 1), :counts::jsonb, :undoOf::bigint
  returning id
),
changed as (
  insert into workgate.import_changes (import_id, scope, kind, id, event)
  select
    e.id, j.scope, j.kind, j.id,
    case when bool_or(j.event = 'deleted') then 'deleted' when bool_or(j.event = 'created') then 'created' else 'updated' end
  from workgate.journal j
  cross join entry e
  where j.xid = pg_current_xact_id()
    and j.kind in ('project', 'user', 'team', 'board', 'stage', 'task', 'comment', 'file', 'time_entry', 'document')
    -- Files of a comment are part of it.
    and (j.kind <> 'file' or not exists (
      select from workgate.files f where f.project_id = j.scope and f.id = j.id and f.comment_id is not null))
  group by 1, 2, 3, 4
  returning import_id, scope, kind, id, event
)
select import_id::text as "importId", scope, kind, id
from changed
where event <> 'created'
order by kind, scope, id
