-- A project of a tool that was renamed, such as a key of Jira or a repository, has the name of a new source. Its tasks are
-- recognized: all that depends on the name is the beginning of their ids, and the times of their creation are the same.
analyze imported;

create temporary table unknown_tasks on commit drop as
select i.project_id, left(i.id::text, 13) as prefix, substr(i.id::text, 14) as rest, i.data ->> 'createdAt' as created_at
from imported i
where i.kind = 'task'
  and substr(i.id::text, 15, 1) = '8'
  and i.data ? 'createdAt'
  and not i.data ? 'version';

delete from unknown_tasks u
using (select distinct prefix from unknown_tasks) s
where u.prefix = s.prefix
  and exists (
    select
    from workgate.projects p
    join workgate.tasks t
      on t.project_id = p.id
      and t.id >= (s.prefix || '-8000-8000-000000000000')::uuid
      and t.id <= (s.prefix || '-8fff-bfff-ffffffffffff')::uuid);
analyze unknown_tasks;

create temporary table renamed on commit drop as
select distinct on (f.prefix) f.project_id as imported_id, f.prefix, f.known_id, f.known_prefix, i.data ? 'byKey' as by_key, f.tasks
from (
  select
    u.project_id, u.prefix, t.project_id as known_id, left(t.id::text, 13) as known_prefix, count(*) as tasks,
    count(*) filter (where t.created_at = u.created_at::workgate.moment) as same
  from unknown_tasks u
  join workgate.tasks t on substr(t.id::text, 14) = u.rest
  group by 1, 2, 3, 4
) f
join imported i on i.kind = 'project' and i.id = f.project_id
join workgate.projects p on p.id = f.known_id
where f.same >= 0.9 * f.tasks
  and f.same >= least(3, (select count(*) from unknown_tasks u where u.prefix = f.prefix))
  and (not i.data ? 'byKey' or i.data ->> 'key' = p.key)
  -- Both may be in the file: then neither is the other.
  and not exists (select from imported o where o.kind = 'task' and left(o.id::text, 13) = f.known_prefix)
order by f.prefix, f.same desc, f.known_id, f.known_prefix;

do $$
declare
  r record;
begin
  for r in select * from renamed order by prefix loop
    update imported
    set
      id = overlay(id::text placing case left(id::text, 13) when r.prefix then r.known_prefix else left(id::text, 13) end from 1)::uuid,
      data = replace(data::text, '"' || r.prefix || '-8', '"' || r.known_prefix || '-8')::jsonb
    where left(id::text, 13) = r.prefix
      or strpos(data::text, '"' || r.prefix || '-8') > 0;
    continue when r.by_key;
    delete from imported
    where kind = 'project'
      and id = r.imported_id
      and exists (select from imported i where i.kind = 'project' and i.id = r.known_id);
    update imported
    set project_id = r.known_id, id = case kind when 'project' then r.known_id else id end
    where project_id = r.imported_id;
  end loop;
end
$$;

insert into results
select 'note', 'tasks are known by an earlier name of their project or repository', sum(tasks)
from renamed
having count(*) > 0;
