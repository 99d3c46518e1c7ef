insert into workgate.tags (project_id, id, name, color)
select p.id, i.id, i.data ->> 'name', i.data ->> 'color'
from imported i
join target_projects p on p.imported_id = i.project_id
where i.kind = 'tag'
on conflict do nothing;

-- The tags and watchers of tasks whose lists are in the file. Differences are removed and added.
create temporary table wanted_tags on commit drop as
select distinct i.project_id, i.id as task_id, lower(t.name) as folded, t.name, t.color, t.id as tag_id, i.line
from incoming_tasks i
cross join jsonb_to_recordset(i.tags) as t (id uuid, name text, color text);

with created as (
  insert into workgate.tags (project_id, id, name, color)
  select distinct on (project_id, folded) project_id, tag_id, name, color
  from wanted_tags
  order by project_id, folded, line
  on conflict do nothing
  returning name
)
insert into results
select 'tags', 'created', count(*), (array_agg(name order by name))[1:3] from created;

update wanted_tags w
set tag_id = t.id
from workgate.tags t
where t.project_id = w.project_id
  and lower(t.name) = w.folded
  and t.id <> w.tag_id;
create index on wanted_tags (project_id, task_id, tag_id);
analyze wanted_tags;

with removed as (
  delete from workgate.task_tags tt
  using incoming_tasks i
  where i.known
    and i.tags is not null
    and tt.project_id = i.project_id
    and tt.task_id = i.id
    and not exists (
      select from wanted_tags w where w.project_id = i.project_id and w.task_id = i.id and w.tag_id = tt.tag_id)
  returning tt.project_id, tt.task_id
)
update incoming_tasks i
set changed = true
from removed r
where i.project_id = r.project_id
  and i.id = r.task_id;

with added as (
  insert into workgate.task_tags (project_id, task_id, tag_id)
  select distinct w.project_id, w.task_id, w.tag_id
  from wanted_tags w
  where not exists (
    select from workgate.task_tags tt where tt.project_id = w.project_id and tt.task_id = w.task_id and tt.tag_id = w.tag_id)
  order by w.project_id, w.task_id, w.tag_id
  returning project_id, task_id
)
update incoming_tasks i
set changed = true
from added a
where i.project_id = a.project_id
  and i.id = a.task_id;

create temporary table wanted_watchers on commit drop as
select distinct i.project_id, i.id as task_id, u.id as user_id
from incoming_tasks i
cross join jsonb_array_elements_text(i.watchers) as w (imported_id)
join target_users u on u.imported_id = w.imported_id::uuid;
create index on wanted_watchers (project_id, task_id, user_id);
analyze wanted_watchers;

with removed as (
  delete from workgate.task_watchers tw
  using incoming_tasks i
  where i.known
    and i.watchers is not null
    and tw.project_id = i.project_id
    and tw.task_id = i.id
    and not exists (
      select from wanted_watchers w where w.project_id = i.project_id and w.task_id = i.id and w.user_id = tw.user_id)
  returning tw.project_id, tw.task_id
)
update incoming_tasks i
set changed = true
from removed r
where i.project_id = r.project_id
  and i.id = r.task_id;

with added as (
  insert into workgate.task_watchers (project_id, task_id, user_id)
  select w.project_id, w.task_id, w.user_id
  from wanted_watchers w
  where not exists (
    select from workgate.task_watchers tw where tw.project_id = w.project_id and tw.task_id = w.task_id and tw.user_id = w.user_id)
  order by w.project_id, w.task_id, w.user_id
  returning project_id, task_id
)
update incoming_tasks i
set changed = true
from added a
where i.project_id = a.project_id
  and i.id = a.task_id;

insert into results
select
  'tasks', case when changed then 'updated' else 'unchanged' end, count(*),
  case when changed then (array_agg(title order by line))[1:3] else '{}' end
from incoming_tasks
where known
group by changed;
