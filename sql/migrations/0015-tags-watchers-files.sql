-- Tags and watchers belong to the task, and files to the comment, although they are rows of other tables. When they
-- change, the task gets a new version and a history entry, or the comment a new updated_at, in one pass for each
-- statement and project. Tasks are locked in the order of their ids, and only then are their tags read: a transaction
-- that waits for another one records the change from the state that the other one left.

create function workgate.is_own(inserted_by xid8, row_xmin xid) returns boolean
language sql stable
-- The transaction ids in restored rows are those of another cluster. Rows that this transaction has written have an
-- xmin that is not older than its id.
return inserted_by = pg_current_xact_id() and age(row_xmin) <= 0;
comment on function workgate.is_own(xid8, xid) is
  'Returns whether this transaction inserted a row, given the columns xid and xmin of the row.';

create function workgate.lock_tasks(project uuid, candidates uuid[]) returns uuid[]
language plpgsql volatile
as $$
declare
  tasks uuid[];
begin
  -- The history of a task begins with its creation.
  tasks := array(
    select c.id
    from (select distinct unnest(candidates) as id) c
    where (
      select workgate.is_own(h.xid, h.xmin) and h.changes @> '{"state": {"from": null}}'
      from workgate.task_history h
      where h.project_id = project
        and h.task_id = c.id
      order by h.version
      limit 1
    ) is not true);
  if tasks = '{}' then
    return tasks;
  end if;
  return array(
    select locked.id
    from (
      select t.id
      from workgate.tasks t
      where t.project_id = project
        and t.id = any (tasks)
        and exists (select from workgate.projects p where p.id = project)
      order by t.id
      for no key update of t
    ) locked);
end
$$;
comment on function workgate.lock_tasks(uuid, uuid[]) is
  'Locks tasks and returns their ids. Omits tasks that no longer exist, and tasks that this transaction has created: '
  'their creation is their history entry, whatever tags and watchers they get.';

create function workgate.raise_versions(project uuid, tasks uuid[]) returns void
language plpgsql volatile
as $$
begin
  perform set_config('workgate.housekeeping', 'on', true);
  update workgate.tasks t
  set version = t.version + 1
  where t.project_id = project
    and t.id = any (tasks)
    and (
      select workgate.is_own(h.xid, h.xmin)
      from workgate.task_history h
      where h.project_id = project
        and h.task_id = t.id
        and h.version = t.version
    ) is not true;
  perform set_config('workgate.housekeeping', '', true);
end
$$;
comment on function workgate.raise_versions(uuid, uuid[]) is
  'Raises the versions of tasks, unless this transaction has already written a history entry for the current version.';

create function workgate.list_changes(project uuid, field text, changed uuid[], tasks uuid[], items text[], signs integer[])
returns table (task_id uuid, version bigint, at timestamptz, changes jsonb)
language plpgsql stable
-- Plans every execution: the right plan depends on the number of tasks.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
  return query
  with entries as materialized (
    select
      t.id, t.version, t.updated_at,
      -- As a join, the planner may read the whole history of the project for each task, because it seems to be short.
      (
        select h.changes
        from workgate.task_history h
        where h.project_id = project
          and h.task_id = t.id
          and h.version = t.version
      ) as changes
    from workgate.tasks t
    where t.project_id = project
      and t.id = any (changed)
  ),
  -- Items are counted, because one statement can delete and insert the same item, and its triggers run one by one.
  counted as (
    select c.id, c.item, sum(c.before) as before, sum(c.after) as after
    from (
      select tt.task_id, (select g.name from workgate.tags g where g.project_id = project and g.id = tt.tag_id), 1, 1
      from workgate.task_tags tt
      where field = 'tags'
        and tt.project_id = project
        and tt.task_id = any (changed)
      union all
      select w.task_id, w.user_id::text, 1, 1
      from workgate.task_watchers w
      where field = 'watcherIds'
        and w.project_id = project
        and w.task_id = any (changed)
      union all
      select i.task_id, i.item, -i.sign, 0
      from unnest(tasks, items, signs) as i (task_id, item, sign)
      -- If the entry already shows a change, this one continues it.
      union all
      select e.id, jsonb_array_elements_text(e.changes -> field -> 'from'), 1, 0
      from entries e
      where e.changes ? field
      union all
      select e.id, jsonb_array_elements_text(e.changes -> field -> 'to'), -1, 0
      from entries e
      where e.changes ? field
    ) c (id, item, before, after)
    group by c.id, c.item
  ),
  lists as (
    select
      c.id,
      jsonb_agg(c.item order by lower(c.item) collate "C") filter (where n <= c.before) as before,
      jsonb_agg(c.item order by lower(c.item) collate "C") filter (where n <= c.after) as after
    from counted c
    cross join lateral generate_series(1, greatest(c.before, c.after)) as n
    group by c.id
  )
  select
    e.id, e.version, e.updated_at::timestamptz,
    coalesce(e.changes, '{}')
      || jsonb_build_object(field, jsonb_build_object('from', coalesce(l.before, '[]'), 'to', coalesce(l.after, '[]')))
  from entries e
  left join lists l on l.id = e.id;
end
$$;
comment on function workgate.list_changes(uuid, text, uuid[], uuid[], text[], integer[]) is
  'The history entries of tasks after a change of one of their lists. The list before the change is the current one '
  'without the items that were added (sign 1) and with those that were removed (sign -1).';

create function workgate.record_list_change(
  project uuid, field text, locked uuid[], tasks uuid[], items text[], signs integer[])
returns void
language plpgsql volatile
as $$
declare
  channel constant text := workgate.channel();
  actor constant jsonb := workgate.actor();
  changed constant uuid[] := array(select unnest(locked) intersect select unnest(tasks));
begin
  perform workgate.raise_versions(project, changed);
  insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes)
  select project, c.task_id, c.version, c.at, channel, actor, c.changes
  from workgate.list_changes(project, field, changed, tasks, items, signs) c
  on conflict (project_id, task_id, version) do update set changes = excluded.changes;
  insert into workgate.journal (scope, kind, id, event, fields, at, channel, actor)
  select project, 'task', c.task_id, 'updated', array[case field when 'tags' then 'tags' else 'watchers' end],
    workgate.present(), channel, actor
  from unnest(changed) as c (task_id);
end
$$;
comment on function workgate.record_list_change(uuid, text, uuid[], uuid[], text[], integer[]) is
  'Records a change that has been made to a list of locked tasks in their versions, their history and the journal.';

create function workgate.record_tagging(project uuid, tasks uuid[], tags uuid[], signs integer[]) returns void
language plpgsql volatile
as $$
declare
  locked constant uuid[] := workgate.lock_tasks(project, tasks);
begin
  if locked <> '{}' then
    perform workgate.record_list_change(project, 'tags', locked, array_agg(c.task_id), array_agg(g.name), array_agg(c.sign))
    from unnest(tasks, tags, signs) as c (task_id, tag_id, sign)
    join workgate.tags g on g.project_id = project and g.id = c.tag_id;
  end if;
end
$$;

create function workgate.record_watching(project uuid, tasks uuid[], users uuid[], signs integer[]) returns void
language plpgsql volatile
as $$
declare
  locked constant uuid[] := workgate.lock_tasks(project, tasks);
begin
  if locked <> '{}' then
    perform workgate.record_list_change(project, 'watcherIds', locked, tasks, users::text[], signs);
  end if;
end
$$;

-- The functions of the two tables differ only in names, so they are created from one template. They use no sequential
-- scans: a plan made while the tables were small would read all their rows for each task.
do $do$
declare
  linked text[];
begin
  foreach linked slice 1 in array array[
    ['task_tags', 'tag_id', 'record_tagging'],
    ['task_watchers', 'user_id', 'record_watching']
  ] loop
    execute replace(replace(replace($text$
create function workgate.touch_tasks_of_{{table}}() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    -- As in lock_tasks(). Creating a task with tags and watchers takes only this look-up for each of them.
    if exists (
      select
      from new_rows r
      where (
        select workgate.is_own(h.xid, h.xmin) and h.changes @> '{"state": {"from": null}}'
        from workgate.task_history h
        where h.project_id = r.project_id
          and h.task_id = r.task_id
        order by h.version
        limit 1
      ) is not true) then
      perform workgate.{{record}}(project_id, array_agg(task_id), array_agg({{item}}), array_agg(1))
      from new_rows
      group by project_id
      order by project_id;
    end if;
  elsif tg_op = 'DELETE' then
    -- Deleting a task deletes its tags and watchers after it.
    if exists (
      select
      from old_rows r
      where (select true from workgate.tasks t where t.project_id = r.project_id and t.id = r.task_id)) then
      perform workgate.{{record}}(project_id, array_agg(task_id), array_agg({{item}}), array_agg(-1))
      from old_rows
      group by project_id
      order by project_id;
    end if;
  else
    perform workgate.{{record}}(m.project_id, array_agg(m.task_id), array_agg(m.item), array_agg(m.sign))
    from (
      select r.project_id, r.task_id, r.item, sum(r.sign)::integer as sign
      from (
        select project_id, task_id, {{item}}, 1 from new_rows
        union all
        select project_id, task_id, {{item}}, -1 from old_rows
      ) r (project_id, task_id, item, sign)
      group by r.project_id, r.task_id, r.item
      having sum(r.sign) <> 0
    ) m
    group by m.project_id
    order by m.project_id;
  end if;
  return null;
end
$$;
revoke execute on function workgate.touch_tasks_of_{{table}}() from public;

create trigger {{table}}_touch_tasks_on_insert after insert on workgate.{{table}}
  referencing new table as new_rows for each statement execute function workgate.touch_tasks_of_{{table}}();
create trigger {{table}}_touch_tasks_on_delete after delete on workgate.{{table}}
  referencing old table as old_rows for each statement execute function workgate.touch_tasks_of_{{table}}();
create trigger {{table}}_touch_tasks_on_update after update on workgate.{{table}}
  referencing old table as old_rows new table as new_rows for each statement execute function workgate.touch_tasks_of_{{table}}();
$text$, '{{table}}', linked[1]), '{{item}}', linked[2]), '{{record}}', linked[3]);
  end loop;
end
$do$;

create function workgate.touch_tasks_of_tags() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
declare
  changed record;
  locked uuid[];
begin
  for changed in
    select t.project_id, array_agg(t.id) as ids, array_agg(t.old_name) as old_names, array_agg(t.new_name) as new_names
    from (
      select r.project_id, r.id, min(r.name) filter (where r.is_old) as old_name, min(r.name) filter (where not r.is_old) as new_name
      from (
        select project_id, id, name, color, true from old_rows
        union all
        select project_id, id, name, color, false from new_rows
      ) r (project_id, id, name, color, is_old)
      group by r.project_id, r.id
      having count(distinct (r.name, r.color)) > 1
    ) t
    group by t.project_id
    order by t.project_id
  loop
    locked := workgate.lock_tasks(changed.project_id, array(
      select task_id
      from workgate.task_tags
      where project_id = changed.project_id
        and tag_id = any (changed.ids)));
    if locked <> '{}' then
      -- Reads the tagged tasks again: some may have lost the tag before they were locked.
      perform workgate.record_list_change(
        changed.project_id, 'tags', locked, array_agg(tt.task_id), array_agg(item.name), array_agg(item.sign))
      from unnest(changed.ids, changed.old_names, changed.new_names) as g (id, old_name, new_name)
      join workgate.task_tags tt on tt.project_id = changed.project_id and tt.tag_id = g.id
      cross join lateral (values (g.old_name, -1), (g.new_name, 1)) as item (name, sign);
    end if;
  end loop;
  return null;
end
$$;
revoke execute on function workgate.touch_tasks_of_tags() from public;

create function workgate.lock_tag() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- With an older snapshot, the tasks of transactions that have ended since would be missed.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception using
      errcode = 'WG008',
      message = 'a tag can be changed only at isolation level read committed';
  end if;
  perform from workgate.tags where project_id = old.project_id and id = old.id for update;
  return new;
end
$$;
comment on function workgate.lock_tag() is
  'Keeps a tag that changes from being added to tasks, and waits for transactions that have added it. Otherwise '
  'neither would see the other, and a task would show the new name under its old version.';
revoke execute on function workgate.lock_tag() from public;

create function workgate.remove_tag_from_tasks() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from workgate.projects where id = old.project_id) then
    delete from workgate.task_tags where project_id = old.project_id and tag_id = old.id;
  end if;
  return old;
end
$$;
comment on function workgate.remove_tag_from_tasks() is
  'Removes a tag from its tasks while its name can still be read for their history; the foreign key would do it '
  'afterwards.';
revoke execute on function workgate.remove_tag_from_tasks() from public;

create trigger tags_lock_before_change before update on workgate.tags
  for each row when ((old.name, old.color) is distinct from (new.name, new.color)) execute function workgate.lock_tag();
create trigger tags_remove_from_tasks before delete on workgate.tags
  for each row execute function workgate.remove_tag_from_tasks();
create trigger tags_touch_tasks_on_update after update on workgate.tags
  referencing old table as old_rows new table as new_rows for each statement execute function workgate.touch_tasks_of_tags();

create function workgate.touch_comments(project uuid, comments uuid[]) returns void
language plpgsql volatile
as $$
declare
  locked constant uuid[] := array(
    select found.id
    from (
      select c.id
      from workgate.comments c
      where c.project_id = project
        and c.id = any (comments)
        and not workgate.is_own(c.xid, c.xmin)
      order by c.id
      for no key update
    ) found);
begin
  if locked <> '{}' then
    -- Any change makes the trigger of comments set the current time.
    update workgate.comments
    set updated_at = updated_at + interval '1 millisecond'
    where project_id = project
      and id = any (locked);
  end if;
end
$$;
comment on function workgate.touch_comments(uuid, uuid[]) is
  'Sets updated_at of comments, except of those that this transaction has inserted.';

create function workgate.touch_comments_of_files() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
begin
  if tg_op = 'INSERT' then
    perform workgate.touch_comments(project_id, array_agg(distinct comment_id))
    from new_rows
    group by project_id
    order by project_id;
  elsif tg_op = 'DELETE' then
    -- Deleting a comment deletes its files after it.
    if exists (
      select
      from old_rows r
      where (select true from workgate.comments c where c.project_id = r.project_id and c.id = r.comment_id)) then
      perform workgate.touch_comments(project_id, array_agg(distinct comment_id))
      from old_rows
      group by project_id
      order by project_id;
    end if;
  else
    perform workgate.touch_comments(m.project_id, array_agg(distinct m.comment_id))
    from (
      (select * from new_rows except select * from old_rows)
      union all
      (select * from old_rows except select * from new_rows)
    ) m
    group by m.project_id
    order by m.project_id;
  end if;
  return null;
end
$$;
revoke execute on function workgate.touch_comments_of_files() from public;

create trigger comment_files_touch_comments_on_insert after insert on workgate.comment_files
  referencing new table as new_rows for each statement execute function workgate.touch_comments_of_files();
create trigger comment_files_touch_comments_on_delete after delete on workgate.comment_files
  referencing old table as old_rows for each statement execute function workgate.touch_comments_of_files();
create trigger comment_files_touch_comments_on_update after update on workgate.comment_files
  referencing old table as old_rows new table as new_rows for each statement execute function workgate.touch_comments_of_files();
