-- Stages rows of a file.
insert into imported (kind, project_id, id, line, data)
select distinct on (r.kind, r.project_id, r.id) r.kind, r.project_id, r.id, r.line, r.data
from rows from (
  json_to_recordset(:rows::json) as (kind text, "projectId" uuid, id uuid, line bigint, data jsonb)
) with ordinality as r (kind, project_id, id, line, data, n)
order by r.kind, r.project_id, r.id, r.n desc
on conflict (kind, project_id, id) do update set line = excluded.line, data = excluded.data
