-- workgate imports undo: finds what has changed since the import, and stages everything else as it was before, like the rows of
-- an export.
do $$
declare
  content record;
begin
  -- Waits for those who are changing them, or adding something to a task.
  for content in
    select k.kind, k.table_name from workgate.kinds k where k.kind in ('task', 'comment', 'file', 'time_entry', 'document') and k.rank is not null
  loop
    execute format(
      'select from workgate.%I o join workgate.import_changes c on c.scope = o.project_id and c.id = o.id '
        'where c.import_id = current_setting(''workgate.undone_import'')::bigint and c.kind = %L for update of o',
      content.table_name, content.kind);
  end loop;
end
$$;

-- The objects that the import has changed, and the end of the last import that has changed each. Later imports do not count if they
-- were undone, and nobody else has changed the object in between.
create temporary table undone_objects on commit drop as
select
  kind, scope, id, max(at) as at, bool_or(is_changed) as is_changed, (array_agg(event order by import_id))[1] as event,
  (array_agg(before order by import_id))[1] as before
from (
  select
    c.kind, c.scope, c.id, c.import_id, c.event, c.before, i.at,
    c.import_id > undone.id
      and (
        i.undo_of is null and i.undone_at is null
        or coalesce((c.before ->> 'updatedAt')::timestamptz > lag(i.at) over (partition by c.kind, c.scope, c.id order by i.id), false)
      ) as is_changed
  from (select current_setting('workgate.undone_import')::bigint as id) undone
  join workgate.import_changes o on o.import_id = undone.id
  join workgate.import_changes c on c.kind = o.kind and c.scope = o.scope and c.id = o.id and c.import_id >= undone.id
  join workgate.imports i on i.id = c.import_id
  where o.kind in ('task', 'comment', 'file', 'time_entry', 'document')
) s
group by kind, scope, id;
analyze undone_objects;

create temporary table taken_back on commit drop as
with content (kind, scope, id, updated_at, name) as (
  select c.kind, c.scope, c.id, t.updated_at, p.key || '-' || t.number || ' ' || t.title
  from undone_objects c
  join workgate.tasks t on t.project_id = c.scope and t.id = c.id
  join workgate.projects p on p.id = t.project_id
  where c.kind = 'task'
  union all
  select c.kind, c.scope, c.id, o.updated_at, 'a comment on ' || p.key || '-' || t.number
  from undone_objects c
  join workgate.comments o on o.project_id = c.scope and o.id = c.id
  join workgate.projects p on p.id = o.project_id
  join workgate.tasks t on t.project_id = o.project_id and t.id = o.task_id
  where c.kind = 'comment'
  union all
  select c.kind, c.scope, c.id, f.updated_at, 'the file ' || f.name || ' of ' || p.key || '-' || t.number
  from undone_objects c
  join workgate.files f on f.project_id = c.scope and f.id = c.id
  join workgate.projects p on p.id = f.project_id
  join workgate.tasks t on t.project_id = f.project_id and t.id = f.task_id
  where c.kind = 'file'
  union all
  select c.kind, c.scope, c.id, e.updated_at, 'a time entry of ' || p.key || coalesce('-' || t.number, '')
  from undone_objects c
  join workgate.time_entries e on e.project_id = c.scope and e.id = c.id
  join workgate.projects p on p.id = e.project_id
  left join workgate.tasks t on t.project_id = e.project_id and t.id = e.task_id
  where c.kind = 'time_entry'
  union all
  select c.kind, c.scope, c.id, d.updated_at, d.path
  from undone_objects c
  join workgate.documents d on d.project_id = c.scope and d.id = c.id
  where c.kind = 'document'
)
select
  c.kind, c.scope, c.id, c.event, c.before,
  c.is_changed
    or coalesce(n.updated_at > c.at, false)
    or c.event = 'updated' and n.id is null
    or c.event = 'deleted' and p.id is null as is_changed,
  coalesce(n.name, c.before ->> 'reference' || ' ' || (c.before ->> 'title'), c.before ->> 'path', replace(c.kind, '_', ' ')) as name
from undone_objects c
left join content n on n.kind = c.kind and n.scope = c.scope and n.id = c.id
left join workgate.projects p on p.id = c.scope;
create unique index on taken_back (kind, scope, id);
analyze taken_back;

-- A new task remains if anything remains that belongs to it, such as a comment that somebody has written since.
do $$
begin
  loop
    update taken_back b
    set is_changed = true
    from (
      select 'comment', project_id, id, task_id from workgate.comments
      union all
      select 'file', project_id, id, task_id from workgate.files where comment_id is null
      union all
      select 'time_entry', project_id, id, task_id from workgate.time_entries
      union all
      select 'document', project_id, id, task_id from workgate.documents
      union all
      select 'task', project_id, id, parent_id from workgate.tasks
    ) part (kind, scope, id, task_id)
    where b.kind = 'task'
      and b.event = 'created'
      and not b.is_changed
      and part.scope = b.scope
      and part.task_id = b.id
      and not exists (
        select
        from taken_back own
        where own.kind = part.kind
          and own.scope = part.scope
          and own.id = part.id
          and own.event = 'created'
          and not own.is_changed);
    exit when not found;
  end loop;
end
$$;

create temporary table sources on commit drop as
select distinct scope as project_id, left(id::text, 13) as prefix
from taken_back
where kind = 'task';

insert into missing_tasks
select scope, id from taken_back where kind = 'task' and event = 'created' and not is_changed;

insert into imported (kind, project_id, id, line, data)
select b.kind, b.scope, b.id, row_number() over (), b.before - '{kind,id,projectId}'::text[]
from taken_back b
where b.before is not null
  and not b.is_changed;

-- The projects, boards, stages and people that these rows refer to, as they are now.
create temporary table undone_projects on commit drop as
select p.id, p.key, p.name
from workgate.projects p
where p.id in (
  select c.scope
  from workgate.import_changes c
  where c.import_id = current_setting('workgate.undone_import')::bigint);

insert into imported (kind, project_id, id, line, data)
select 'project', p.id, p.id, 0, jsonb_build_object('name', p.name, 'key', p.key, 'byKey', true)
from undone_projects p
union all
select 'board', b.project_id, b.id, 0, jsonb_build_object('name', b.name)
from undone_projects p
join workgate.boards b on b.project_id = p.id
union all
select 'stage', s.project_id, s.id, 0, jsonb_build_object('boardId', s.board_id, 'name', s.name, 'category', s.category)
from undone_projects p
join workgate.stages s on s.project_id = p.id
union all
select 'user', uuid '00000000-0000-0000-0000-000000000000', u.id, 0, jsonb_build_object('name', u.name, 'createdAt', u.created_at)
from workgate.users u
union all
select 'user', uuid '00000000-0000-0000-0000-000000000000', a.id, 0, jsonb_build_object('name', u.name, 'createdAt', u.created_at)
from workgate.user_aliases a
join workgate.users u on u.id = a.user_id;

analyze imported;
