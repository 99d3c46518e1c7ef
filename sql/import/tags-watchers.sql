-- Tags of an export, which no task may have.
insert into workgate.tags (project_id, id, name, color)
select p.id, i.id, i.data ->> 'name', i.data ->> 'color'
from imported i
join target_projects p on p.imported_id = i.project_id
where i.kind = 'tag'
on conflict do nothing;

-- The tags and watchers of tasks whose lists are in the file. Differences are removed and added.
create temporary table wanted_tags on commit drop as
select distinct
  i.project_id, i.id as task_id, lower(t.value ->> 'name') as folded, t.value ->> 'name' as name, t.value ->> 'color' as color,
  t.value ? 'color' as has_color, (t.value ->> 'id')::uuid as tag_id, i.line
from incoming_tasks i
cross join jsonb_array_elements(i.tags) as t;

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

-- Tags get the spelling and the color that the file says. If it says several, one that a tag has already is kept. A tag with
-- another name was renamed here. An undo only says how the tags were that its tasks have now.
with said as (
  select w.project_id, w.tag_id as id, w.folded, w.name, w.color, w.has_color, w.line
  from wanted_tags w
  where coalesce(current_setting('workgate.undone_import', true), '') = ''
    or exists (
      select from workgate.task_tags tt where tt.project_id = w.project_id and tt.task_id = w.task_id and tt.tag_id = w.tag_id)
  union all
  select p.id, i.id, lower(i.data ->> 'name'), i.data ->> 'name', i.data ->> 'color', i.data ? 'color', i.line
  from imported i
  join target_projects p on p.imported_id = i.project_id
  where i.kind = 'tag'
),
wanted as (
  select
    t.project_id, t.id,
    coalesce(
      (array_agg(s.name order by s.name <> t.name, s.line) filter (where s.folded = lower(t.name)))[1], t.name) as name,
    case
      when bool_or(s.has_color) then
        (array_agg(s.color order by s.color is distinct from t.color, s.line) filter (where s.has_color))[1]
      else t.color
    end as color
  from said s
  join workgate.tags t on t.project_id = s.project_id and t.id = s.id
  group by t.project_id, t.id
),
updated as (
  update workgate.tags t
  set name = w.name, color = w.color
  from wanted w
  where t.project_id = w.project_id
    and t.id = w.id
    and (t.name, t.color) is distinct from (w.name, w.color)
  returning t.project_id, t.id, t.name
),
counted as (
  insert into results
  select 'tags', 'updated', count(*), (array_agg(name order by name))[1:3] from updated
)
update incoming_tasks i
set changed = true
from updated u
join workgate.task_tags tt on tt.project_id = u.project_id and tt.tag_id = u.id
where i.project_id = tt.project_id
  and i.id = tt.task_id;

-- Tags that tasks lose: delete-tags.sql deletes those that no task has any more.
create temporary table lost_tags on commit drop as
select distinct tt.project_id, tt.tag_id as id
from workgate.task_tags tt
join missing_tasks m on m.project_id = tt.project_id and m.id = tt.task_id;

with removed as (
  delete from workgate.task_tags tt
  using incoming_tasks i
  where i.known
    and i.tags is not null
    and tt.project_id = i.project_id
    and tt.task_id = i.id
    and not exists (
      select from wanted_tags w where w.project_id = i.project_id and w.task_id = i.id and w.tag_id = tt.tag_id)
  returning tt.project_id, tt.task_id, tt.tag_id
),
lost as (
  insert into lost_tags select distinct project_id, tag_id from removed
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
