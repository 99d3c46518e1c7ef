-- Tags and watchers belong to the task, and files to the comment, although they are rows of other tables. When they
-- change, the task gets a new version and a history entry, or the comment a new updated_at, in one pass for each
-- statement and project. Tasks are locked in the order of their ids, and only then are their tags read: a transaction
-- that waits for another one records the change from the state that the other one left.

create function workgate.is_own(inserted_by xid8, row_xmin xid) returns boolean
language sql stable
-- The transaction ids in restored rows are those of another server. Rows that this transaction has written have an
-- xmin that is not older than its id.
return inserted_by = pg_current_xact_id() and age(row_xmin) <= 0;
comment on function workgate.is_own(xid8, xid) is
  'Returns whether this transaction inserted a row, given the columns xid and xmin of the row.';

create function workgate.is_new_task(project uuid, task uuid) returns boolean
language plpgsql stable
as $$
begin
  -- The history of a task begins with its creation.
  return (
    select workgate.is_own(h.xid, h.xmin) and h.changes @> '{"state": {"from": null}}'
    from workgate.task_history h
    where h.project_id = project
      and h.task_id = task
    order by h.version
    limit 1
  ) is true;
end
$$;
comment on function workgate.is_new_task(uuid, uuid) is
  'Returns whether this transaction has created a task. Its creation is its history entry, whatever tags and watchers it gets.';

create function workgate.lock_tasks(project uuid, candidates uuid[]) returns uuid[]
language plpgsql volatile
as $$
begin
  return array(
    select locked.id
    from (
      select t.id
      from workgate.tasks t
      where t.project_id = project
        and t.id = any (candidates)
        and exists (select from workgate.projects p where p.id = project)
        and not workgate.is_new_task(project, t.id)
      order by t.id
      for no key update of t
    ) locked);
end
$$;
comment on function workgate.lock_tasks(uuid, uuid[]) is
  'Locks tasks and returns their ids. Omits tasks that no longer exist, and tasks that this transaction has created.';

create function workgate.record_list_change(
  project uuid, field text, locked uuid[], tasks uuid[], items text[], signs integer[])
returns void
language plpgsql volatile
-- Plans every execution: the right plan depends on the number of tasks.
set plan_cache_mode = force_custom_plan
as $$
declare
  channel constant text := workgate.channel();
  actor constant jsonb := workgate.actor();
  changed constant uuid[] := array(select unnest(locked) intersect select unnest(tasks));
begin
  -- The transaction may already have written a history entry for the current version.
  perform set_config('workgate.housekeeping', 'on', true);
  update workgate.tasks t
  set version = t.version + 1
  where t.project_id = project
    and t.id = any (changed)
    and (
      select workgate.is_own(h.xid, h.xmin)
      from workgate.task_history h
      where h.project_id = project
        and h.task_id = t.id
        and h.version = t.version
    ) is not true;
  perform set_config('workgate.housekeeping', '', true);

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
      select e.id, jsonb_array_elements_text(e.changes -> field -> side.name), side.sign, 0
      from entries e
      cross join (values ('from', 1), ('to', -1)) as side (name, sign)
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
  insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes)
  select
    project, e.id, e.version, e.updated_at, channel, actor,
    coalesce(e.changes, '{}')
      || jsonb_build_object(field, jsonb_build_object('from', coalesce(l.before, '[]'), 'to', coalesce(l.after, '[]')))
  from entries e
  left join lists l on l.id = e.id
  on conflict (project_id, task_id, version) do update set changes = excluded.changes;

  insert into workgate.journal (scope, kind, id, event, fields, at, channel, actor)
  select project, 'task', c.task_id, 'updated', array[case field when 'tags' then 'tags' else 'watchers' end],
    workgate.present(), channel, actor
  from unnest(changed) as c (task_id);
end
$$;
comment on function workgate.record_list_change(uuid, text, uuid[], uuid[], text[], integer[]) is
  'Records a change that has been made to a list of locked tasks in their versions, their history and the journal. The list '
  'before the change is the current one without the items that were added (sign 1) and with those that were removed (sign -1).';

-- The functions of the three tables are created from one template. They use no sequential scans: a plan made while the tables
-- were small would read all their rows for each task.
do $do$
declare
  made record;
  touch_tasks constant text := $$locked := workgate.lock_tasks(c.project_id, c.owners);
    if locked <> '{}' then
      perform workgate.record_list_change(c.project_id, %L, locked, array_agg(i.task_id), array_agg(%s), array_agg(i.sign))
      from unnest(c.owners, c.items, c.signs) as i (task_id, item, sign);
    end if;$$;
  -- Any change makes the trigger of comments set the current time. Comments of this transaction have it already.
  touch_comments constant text := $$locked := array(
      select found.id
      from (
        select m.id
        from workgate.comments m
        where m.project_id = c.project_id
          and m.id = any (c.owners)
          and not workgate.is_own(m.xid, m.xmin)
        order by m.id
        for no key update
      ) found);
    update workgate.comments
    set updated_at = updated_at + interval '1 millisecond'
    where project_id = c.project_id
      and id = any (locked);$$;
begin
  for made in
    select *
    from (
      values
        -- Creating a task with tags and watchers takes only a look-up for each of them.
        (
          'task_tags', 'tasks', 'task_id', 'tag_id', 'not workgate.is_new_task(r.project_id, r.task_id)',
          format(touch_tasks, 'tags', '(select g.name from workgate.tags g where g.project_id = c.project_id and g.id = i.item)')
        ),
        (
          'task_watchers', 'tasks', 'task_id', 'user_id', 'not workgate.is_new_task(r.project_id, r.task_id)',
          format(touch_tasks, 'watcherIds', 'i.item::text')
        ),
        ('files', 'comments', 'comment_id', 'id', 'r.comment_id is not null', touch_comments)
    ) v (table_name, owners, owner, item, is_touched, touch)
  loop
    execute format($text$
create function workgate.touch_%2$s_of_%1$s() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set jit = off
as $$
declare
  changed refcursor;
  c record;
  locked uuid[];
begin
  if tg_op = 'INSERT' then
    %7$s (select *, 1 as sign from new_rows r where %5$s) %8$s;
  elsif tg_op = 'DELETE' then
    -- Deleting a task or a comment deletes its parts after it.
    %7$s (
      select *, -1 as sign
      from old_rows r
      where (select true from workgate.%2$s o where o.project_id = r.project_id and o.id = r.%3$s)) %8$s;
  else
    %7$s (
      (select *, 1 as sign from new_rows except all select *, 1 from old_rows)
      union all
      (select *, -1 from old_rows except all select *, -1 from new_rows)) %8$s;
  end if;
  loop
    fetch changed into c;
    exit when not found;
    %6$s
  end loop;
  close changed;
  return null;
end
$$;
create trigger %1$s_touch_%2$s_on_insert after insert on workgate.%1$s
  referencing new table as new_rows for each statement execute function workgate.touch_%2$s_of_%1$s();
create trigger %1$s_touch_%2$s_on_update after update on workgate.%1$s
  referencing old table as old_rows new table as new_rows for each statement execute function workgate.touch_%2$s_of_%1$s();
create trigger %1$s_touch_%2$s_on_delete after delete on workgate.%1$s
  referencing old table as old_rows for each statement execute function workgate.touch_%2$s_of_%1$s();
$text$, made.table_name, made.owners, made.owner, made.item, made.is_touched, made.touch,
      format('open changed for select r.project_id, array_agg(r.%s) as owners, array_agg(r.%s) as items, array_agg(r.sign) as signs from',
        made.owner, made.item),
      'r group by r.project_id order by r.project_id');
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
  c record;
  locked uuid[];
begin
  for c in
    select n.project_id, array_agg(n.id) as ids, array_agg(o.name) as old_names, array_agg(n.name) as new_names
    from new_rows n
    full join old_rows o on o.project_id = n.project_id and o.id = n.id
    where (o.name, o.color) is distinct from (n.name, n.color)
    group by n.project_id
    order by n.project_id
  loop
    locked := workgate.lock_tasks(c.project_id, array(
      select task_id
      from workgate.task_tags
      where project_id = c.project_id
        and tag_id = any (c.ids)));
    if locked <> '{}' then
      -- Reads the tagged tasks again: some may have lost the tag before they were locked.
      perform workgate.record_list_change(
        c.project_id, 'tags', locked, array_agg(tt.task_id), array_agg(item.name), array_agg(item.sign))
      from unnest(c.ids, c.old_names, c.new_names) as g (id, old_name, new_name)
      join workgate.task_tags tt on tt.project_id = c.project_id and tt.tag_id = g.id
      cross join lateral (values (g.old_name, -1), (g.new_name, 1)) as item (name, sign);
    end if;
  end loop;
  return null;
end
$$;

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
  'Removes a tag from its tasks while its name can still be read for their history; the foreign key would do it afterwards.';

create trigger tags_lock_before_change before update on workgate.tags
  for each row when ((old.name, old.color) is distinct from (new.name, new.color)) execute function workgate.lock_tag();
create trigger tags_remove_from_tasks before delete on workgate.tags
  for each row execute function workgate.remove_tag_from_tasks();
create trigger tags_touch_tasks_on_update after update on workgate.tags
  referencing old table as old_rows new table as new_rows for each statement execute function workgate.touch_tasks_of_tags();
