-- Objects as the lines of an export. Another session reads them before an import is committed, so they are as they were.
with named as (
  select * from unnest(:kinds::text[], :scopes::uuid[], :ids::uuid[]) n (kind, scope, id)
)
select json_build_object('kind', n.kind, 'scope', n.scope, 'id', n.id, 'before', line::json)::text as row
from (
  select n.kind, n.scope, n.id, {{taskLine}} as line
  from named n
  join workgate.tasks t on t.project_id = n.scope and t.id = n.id
  where n.kind = 'task'
  union all
  select n.kind, n.scope, n.id, (select row_to_json(f)::text from (select {{commentLineFields}}) f)
  from named n
  join workgate.comments c on c.project_id = n.scope and c.id = n.id
  where n.kind = 'comment'
  union all
  select n.kind, n.scope, n.id, (select row_to_json(o)::text from (select {{fileLineFields}}) o)
  from named n
  join workgate.files f on f.project_id = n.scope and f.id = n.id and f.comment_id is null
  where n.kind = 'file'
  union all
  select n.kind, n.scope, n.id, (select row_to_json(f)::text from (select {{timeEntryLineFields}}) f)
  from named n
  join workgate.time_entries e on e.project_id = n.scope and e.id = n.id
  where n.kind = 'time_entry'
  union all
  select n.kind, n.scope, n.id, (select row_to_json(f)::text from (select {{documentLineFields}}) f)
  from named n
  join workgate.documents d on d.project_id = n.scope and d.id = n.id
  where n.kind = 'document'
  union all
  select n.kind, n.scope, n.id, json_build_object('name', s.name)::text
  from named n
  join workgate.stages s on s.project_id = n.scope and s.id = n.id
  where n.kind = 'stage'
  union all
  select n.kind, n.scope, n.id, json_build_object('name', u.name, 'email', u.email)::text
  from named n
  join workgate.users u on u.id = n.id
  where n.kind = 'user'
) n
