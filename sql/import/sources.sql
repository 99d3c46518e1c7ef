-- The sources of the tasks in the file, by project. The ids of a source are a range, and only derived ids have the version 8.
-- An export, whose tasks have versions, has ids of any source, and so have the rows of an exported sheet.
create temporary table sources on commit drop as
select
  project_id, prefix,
  exists (
    select
    from workgate.tasks t
    where t.project_id = s.project_id
      and t.id >= (prefix || '-8000-8000-000000000000')::uuid
      and t.id <= (prefix || '-8fff-bfff-ffffffffffff')::uuid
  ) as known,
  tasks
from (
  select p.id as project_id, left(i.id::text, 13) as prefix, count(*) as tasks
  from imported i
  join target_projects p on p.imported_id = i.project_id
  where i.kind = 'task'
    and not i.data ? 'version'
    and not exists (
      select from exported_tasks e where e.project_id = i.project_id and e.id = i.id and e.imported_id <> e.id)
  group by 1, 2
) s;

-- The changes that somebody has to confirm, by project: here, tasks of a source that is new in a project that others feed.
create temporary table plan on commit drop as
select project_id, sum(tasks) as added, 0::bigint as existing, 0::bigint as missing, null::text[] as names
from sources s
where not known
  and exists (
    select
    from workgate.tasks t
    where t.project_id = s.project_id
      and substring(t.id::text, 15, 1) = '8'
      and not exists (select from sources o where o.project_id = t.project_id and o.prefix = left(t.id::text, 13))
  )
group by project_id;
