-- Remembers the items that a round has written. What was not is refused: a comment, for example, whose task cannot be read.
insert into workgate.source_items as known (project_id, kind, external_id, id, parent, fingerprint, refused)
select
  :projectId::uuid, i.kind, i."externalId", i.id, i.parent, i.fingerprint, r.refused
from json_to_recordset(:items::json) as i (kind text, "externalId" text, id uuid, parent text, fingerprint text, refused boolean)
cross join lateral (
  select i.refused or i.id is not null and not case i.kind
    when 'task' then exists (select from workgate.tasks t where t.project_id = :projectId and t.id = i.id)
    when 'comment' then exists (select from workgate.comments c where c.project_id = :projectId and c.id = i.id)
    else exists (select from workgate.time_entries e where e.project_id = :projectId and e.id = i.id)
  end as refused
) r
on conflict (project_id, kind, external_id) do update
set
  -- The row of an item that cannot be read any more.
  id = coalesce(excluded.id, known.id),
  parent = excluded.parent,
  fingerprint = excluded.fingerprint,
  refused = excluded.refused
returning refused
