-- Deletes comments and time entries that the tracker has deleted, and forgets all items that it has deleted. Subtasks of deleted
-- tasks lose their parent.
with gone as (
  delete from workgate.source_items s
  using json_to_recordset(:gone::json) as g (kind text, "externalId" text)
  where s.project_id = :projectId::uuid
    and s.kind = g.kind
    and s.external_id = g."externalId"
  returning s.kind, s.id
),
detached as (
  update workgate.tasks t
  set parent_id = null
  from gone g
  where g.kind = 'task'
    and t.project_id = :projectId
    and t.parent_id = g.id
    and not exists (select from gone own where own.id = t.id)
),
comments as (
  delete from workgate.comments c
  using gone g
  where g.kind = 'comment'
    and c.project_id = :projectId
    and c.id = g.id
),
entries as (
  delete from workgate.time_entries e
  using gone g
  where g.kind = 'timeEntry'
    and e.project_id = :projectId
    and e.id = g.id
)
select id from gone where kind = 'task' and id is not null
