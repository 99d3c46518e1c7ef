-- Triggers that record every change of every writer: they mark its scope (freshness), name the object in the journal, continue
-- the history of a task, and add deltas to the tallies. They are made from workgate.kinds, which says what each table needs.

create function workgate.record_truncate() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform workgate.mark_scope('00000000-0000-0000-0000-000000000000');
  perform workgate.record_everything();
  -- The arguments are the kinds of tallies that count the rows. "state of storyPoints" sums those that "state" counts.
  if tg_nargs > 0 then
    if current_setting('transaction_isolation') <> 'read committed' then
      raise exception using
        errcode = 'WG007',
        message = format('%s can be truncated only at isolation level read committed', tg_table_name);
    end if;
    -- Waits for running compactions. Truncate has already locked out writers of the table.
    lock table workgate.tallies in share row exclusive mode;
    delete from workgate.tally_deltas where split_part(kind, ' of ', 1) = any (tg_argv);
    delete from workgate.tallies where split_part(kind, ' of ', 1) = any (tg_argv);
    if 'effort' = any (tg_argv) then
      delete from workgate.effort_marks;
      delete from workgate.task_efforts;
    end if;
  end if;
  return null;
end
$$;

-- For each table, one function for all its triggers. A statement in it contains no variables, so it is planned once for each
-- connection, and it does as much as possible, because opening a table costs more than writing its row. In ordinary sessions,
-- the rows come from transition tables. A replicated row fires only row-level triggers, and is new or old.
--
-- The plan is made for the first call, mostly of one row, so a join of old and new rows could become a nested loop, which would
-- not end for 100,000 rows. A full join cannot. A row whose id has changed is two: one deleted, one created.

do $do$
declare
  directory constant text := 'uuid ''00000000-0000-0000-0000-000000000000''';
  writer constant text := $$
      writer as materialized (
        select workgate.present() as at, workgate.channel() as channel, workgate.actor() as actor
      )$$;
  marks constant text := $$
      marks as (
        insert into workgate.freshness_marks (scope, xid)
        select s.scope, pg_current_xact_id()
        from (
          {{scopes}}
        ) s
        where not workgate.is_marked(s.scope)
        returning scope
      )$$;
  changed constant text := $$
      changed as materialized (
        select
          case when n.{{id}} is null then {{scope of o}} else {{scope of n}} end as scope,
          coalesce(n.{{id}}, o.{{id}}) as id,
          case when n.{{id}} is null then '{{deleted}}' when o.{{id}} is null then '{{created}}' else {{updated}} end as event,
          case when n.{{id}} = o.{{id}} then {{fields}} end as fields{{of tasks}}{{efforts}}
        from {{new}} n
        full join {{old}} o on {{same row}}
        where (n.{{id}} is null or o.{{id}} is null or {{differs}})
          and {{either is here}}
      )$$;
  created_history constant text := $$
      history as (
        insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes)
        select
          n.project_id, n.id, n.version, w.at, w.channel, w.actor,
          jsonb_build_object('state', jsonb_build_object('from', null, 'to', n.state))
        from {{new}} n
        cross join writer w{{unless known}}
      )$$;
  updated_history constant text := $$
      history as (
        insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes, task_type)
        select c.scope, c.id, c.version, c.updated_at, w.channel, w.actor, c.changes, case c.event when 'reopened' then c.type end
        from changed c
        cross join writer w
        where c.version <> c.old_version{{unless known}}
      )$$;
  -- For replicated rows. In ordinary sessions, the foreign key deletes the history.
  deleted_history constant text := $$
      history as (
        delete from workgate.task_history h
        using {{old}} o
        where h.project_id = o.project_id
          and h.task_id = o.id
      )$$;
  created_entries constant text := $$
      entries as (
        insert into workgate.journal (scope, kind, id, event, at, channel, actor)
        select {{scope of n}}, '{{kind}}', n.{{id}}, '{{created}}', w.at, w.channel, w.actor
        from {{new}} n
        cross join writer w
        where {{n is here}}{{more}}
      )$$;
  updated_entries constant text := $$
      entries as (
        insert into workgate.journal (scope, kind, id, event, fields, at, channel, actor{{receipt}})
        select c.scope, '{{kind}}', c.id, c.event, c.fields, w.at, w.channel, w.actor{{receipt of c}}
        from changed c
        cross join writer w{{more}}
      )$$;
  deleted_entries constant text := $$
      entries as (
        insert into workgate.journal (scope, kind, id, event, at, channel, actor{{receipt}})
        select {{scope of o}}, '{{kind}}', o.{{id}}, '{{deleted}}', w.at, w.channel, w.actor{{receipt of o}}
        from {{old}} o
        cross join writer w
        where {{o is here}}
      )$$;
  -- Every task shows the key of its project.
  renamed constant text := $$
        union all
        select n.id, 'tasks', n.id, 'updated', null, w.at, w.channel, w.actor
        from {{new}} n
        join {{old}} o on o.id = n.id
        cross join writer w
        where o.key <> n.key
          and {{n is here}}$$;
  -- The contents of a project can be replicated before its own row.
  contents constant text := $$
        union all
        select n.id, 'contents', n.id, 'updated', w.at, w.channel, w.actor
        from {{new}} n
        cross join writer w$$;
  -- Keys without a selection, and new keys, need no entries: their readers begin without a copy. Rotated keys have the
  -- selection of the first.
  selections constant text := $$
      selections as (
        insert into workgate.journal (scope, kind, id, event, at, channel, actor)
        select c.scope, c.kind, c.project_id, 'updated', w.at, w.channel, w.actor
        from (
          select distinct workgate.key_scope(coalesce(n.first_id, n.id)) as scope, moved.kind, moved.project_id
          from {{new}} n
          join {{old}} o on o.id = n.id
          cross join lateral (
            (select 'left' as kind, unnest(o.project_ids) as project_id except select 'left', unnest(n.project_ids))
            union all
            (select 'entered', unnest(n.project_ids) except select 'entered', unnest(o.project_ids))
          ) moved
          where n.project_ids <> o.project_ids
        ) c
        cross join writer w
      )$$;
  -- In ordinary sessions, their trigger changes the comment.
  comments_of_files constant text := $$
      comments_of_files as (
        insert into workgate.journal (scope, kind, id, event, at, channel, actor)
        select f.project_id, 'comment', f.comment_id, 'updated', w.at, w.channel, w.actor
        from ({{files}}) f
        cross join writer w
        where f.comment_id is not null
      )$$;
  -- New rows are added, old rows are subtracted, and sums of zero are omitted.
  deltas constant text := $$
      deltas as (
        insert into workgate.tally_deltas (project_id, kind, at, key, part, n, seconds)
        select m.project_id, m.kind, m.at, m.key, m.part, workgate.total(m.n), workgate.total(m.seconds)
        from (
          {{counted}}
        ) m (project_id, kind, at, key, part, n, seconds)
        group by m.project_id, m.kind, m.at, m.key, m.part
        having workgate.total(m.n) <> 0 or workgate.total(m.seconds) <> 0
      )$$;
  counted_new constant text := $$
          select n.project_id, c.kind, c.at, c.key, c.part, c.n, c.seconds
          from {{new}} n
          cross join lateral workgate.tallies_of_{{table}}(n) c$$;
  counted_old constant text := $$
          select o.project_id, c.kind, c.at, c.key, c.part, -c.n, -c.seconds
          from {{old}} o
          cross join lateral workgate.tallies_of_{{table}}(o) c
          where {{o is here}}$$;
  -- As tallies_of_task_history() counts it. The trigger of the history does not fire for the entries of this one.
  counted_reopened constant text := $$
          select c.scope, 'reopened', workgate.quarter_hour(c.updated_at), '', coalesce(c.type, ''), 1, 0
          from changed c
          where c.event = 'reopened'$$;
  -- A time entry marks its task even without an estimate, because another transaction may be adding one.
  efforts constant text := $$
      efforts as (
        insert into workgate.effort_marks (project_id, task_id)
        select distinct o.project_id, o.{{task}}
        from {{rows}} o
        where {{has effort}} and {{o is here}}
      )$$;
  moved_efforts constant text := $$
      efforts as (
        insert into workgate.effort_marks (project_id, task_id)
        select distinct c.scope, m.task_id
        from changed c
        cross join unnest(c.moved) m (task_id)
        where m.task_id is not null
      )$$;
  moved constant text := ', case when %s then array[n.%2$s, o.%2$s] end as moved';
  ends constant text := $$
      select string_agg(m.scope::text, ''), {{is large}}, {{is ahead}}, {{synced}} into scopes, is_large, is_ahead, synced from marks m;$$;
  -- True if a new task has no number, or one above the counter of its project.
  ahead constant text := $$exists (
        select
        from new_rows n
        left join workgate.task_counters c on c.project_id = n.project_id
        where (n.number <= c.last_number) is not true)$$;
  -- A project of the rows that has a source. Sources are few, and mostly there are none: then this reads nothing else.
  synced_project constant text := $$(
        select s.project_id
        from workgate.sources s
        where exists (select from {{rows}} r where r.project_id = s.project_id{{unless removed}} offset 0)
        limit 1)$$;
  -- A member who is removed stops watching, by a foreign key.
  unless_removed constant text := $$
          and exists (select from workgate.project_members m where m.project_id = r.project_id and m.user_id = r.user_id)$$;
  refusal constant text := $$
    if synced is not null then
      perform workgate.refuse_synced(synced);
    end if;$$;
  numbers constant text := $$
    if is_ahead then
      perform workgate.number_tasks(
        n.project_id, count(n.number) = count(*), max(n.number),
        array_agg(n.id order by n.created_at, n.id) filter (where n.number is null))
      from new_rows n
      group by n.project_id
      order by n.project_id;
    end if;$$;
  clearing constant text := $$
    perform workgate.lock_compaction(o.id), workgate.delete_tallies(o.id) from (select id from old_rows order by id) o;$$;
  -- Foreign keys do not cascade. If the project still has rows, deleting them subtracts them, and compaction deletes the tallies
  -- after the last one.
  clearing_of_row constant text := $$
      delete from workgate.task_counters where project_id = old.id;
      delete from workgate.import_mappings where project_id = old.id;
      delete from workgate.sources where project_id = old.id;
      if not exists (select from workgate.tallies_from_rows(old.id)) then
        perform workgate.lock_compaction(old.id), workgate.delete_tallies(old.id);
      end if;$$;
  clearing_of_key constant text := E'\n      delete from workgate.api_key_uses where key_id = old.id;';
  -- Checking takes longer than appending, and the service compacts anyway, so only one in 500 small writes checks.
  compaction constant text := $$
    if is_large or random() < 0.002 then
      perform workgate.compact_tallies(r.project_id, 1000) from (select distinct project_id from {{rows}} o order by project_id) r;
    end if;$$;
  k workgate.kinds;
  op text;
  is_row boolean;
  is_part boolean;
  is_named boolean;
  has_effort boolean;
  is_synced boolean;
  scope text;
  rows text;
  statement text;
  bodies text[];
  words jsonb;
  word record;
begin
  for k in select * from workgate.kinds loop
    is_part := k.kind is not null and k.rank is null;
    has_effort := k.table_name in ('tasks', 'time_entries');
    -- Tasks and what belongs to them, but not people and documents.
    is_synced := k.scope = 'project_id' and k.kind not in ('user', 'team', 'document');
    scope := case k.scope
      when 'directory' then directory
      when 'key' then 'workgate.key_scope(%s.id)'
      when 'project or all' then 'coalesce(%s.project_id, ' || directory || ')'
      else '%s.' || k.scope
    end;
    words := jsonb_build_object(
      'table', k.table_name,
      'kind', k.kind,
      'id', k.id,
      'scope of n', format(scope, 'n'),
      'scope of o', format(scope, 'o'),
      'same row', format('n.%1$s = o.%1$s', k.id) || case k.scope when 'project_id' then ' and n.project_id = o.project_id' else '' end,
      'created', case when is_part then 'updated' else 'created' end,
      'deleted', case when is_part then 'updated' else 'deleted' end,
      'updated', case when k.table_name <> 'tasks' then $$'updated'$$
        else $$case when n.state = o.state then 'updated' when n.state = 'open' then 'reopened' else n.state end$$ end,
      'fields', format(
        $$coalesce(nullif(array_remove(array[%s]::text[], null), '{}'), '%s')$$,
        (
          select string_agg(format('case when n.%1$s is distinct from o.%1$s then %2$L end', c, workgate.field_of(c)), ', ')
          from unnest(k.shown) c
        ),
        -- The trigger of files changes only updated_at of their comment.
        case k.table_name when 'comments' then '{files}' else '{}' end),
      'differs', case when is_part then 'true' else coalesce((
        select format('(%s) is distinct from (%s)', string_agg('n.' || c, ', '), string_agg('o.' || c, ', '))
        from unnest(k.shown || k.maintained) c
        having count(*) > 0), 'false') end,
      'n is here', case k.table_name when 'projects' then 'workgate.is_here(n.id)' else 'true' end,
      'either is here', case k.table_name when 'projects' then 'workgate.is_here(coalesce(n.id, o.id))' else 'true' end,
      'task', case k.table_name when 'tasks' then 'id' else 'task_id' end,
      'has effort', case k.table_name when 'tasks' then 'o.estimate_seconds is not null' else 'o.task_id is not null and o.duration_seconds <> 0' end,
      'efforts', case k.table_name
        when 'tasks' then format(moved, 'coalesce(n.estimate_seconds, o.estimate_seconds) is not null and '
          '(n.estimate_seconds, n.completed_at) is distinct from (o.estimate_seconds, o.completed_at)', 'id')
        when 'time_entries' then format(moved, '(n.task_id, n.duration_seconds) is distinct from (o.task_id, o.duration_seconds)', 'task_id')
      end,
      'of tasks', case k.table_name when 'tasks' then (
        select ', n.type, n.version, o.version as old_version, o.number as old_number, n.updated_at, ' || string_agg(
          format(
            $$case when n.%1$s is distinct from o.%1$s then jsonb_build_object('%2$s', jsonb_build_object('from', %3$s, 'to', %4$s)) else '{}' end$$,
            c, workgate.field_of(c), format(value, 'o'), format(value, 'n')),
          ' || ') || ' as changes'
        from unnest(k.shown) c
        cross join lateral (
          select format(
            case
              when c like '%\_at' then 'workgate.iso(%%s.%s)'
              when c = 'assignee_ids' then 'workgate.assignees_of(%%1$s.assignee_id, %%1$s.assignee_ids)'
              when c = 'fields' then $$coalesce(%%s.fields, '{}')$$
              else '%%s.%s'
            end, c)
        ) v (value)
        where c <> 'created_at'
      ) end,
      'receipt', case k.table_name when 'tasks' then ', number, version' end,
      'receipt of o', case k.table_name when 'tasks' then ', o.number, o.version' end,
      'receipt of c', case k.table_name
        when 'tasks' then $$, case c.event when 'deleted' then c.old_number end, case c.event when 'deleted' then c.old_version end$$
      end);
    bodies := '{}';
    foreach is_row in array array[true, false] loop
      is_named := k.kind is not null and (is_row or not is_part);
      foreach op in array array['INSERT', 'UPDATE', 'DELETE'] loop
        rows := format(case when is_row then 'unnest(array[%s])' else '%s_rows' end, case op when 'DELETE' then 'old' else 'new' end);
        statement := 'with' || array_to_string(array[
          case when is_named or (k.table_name = 'api_keys' and op = 'UPDATE') then writer end,
          replace(marks, '{{scopes}}', case op
            when 'INSERT' then 'select distinct {{scope of n}} as scope from {{new}} n'
            when 'UPDATE' then 'select {{scope of n}} as scope from {{new}} n union select {{scope of o}} from {{old}} o'
            else 'select distinct {{scope of o}} as scope from {{old}} o'
          end),
          case when is_named and op = 'UPDATE' then changed end,
          case when is_named then replace(
            case op when 'INSERT' then created_entries when 'UPDATE' then updated_entries else deleted_entries end,
            '{{more}}', case
              when k.table_name = 'projects' and op = 'UPDATE' then renamed
              when k.table_name = 'projects' and is_row then contents
              else ''
            end) end,
          case when k.table_name = 'files' and is_row then replace(comments_of_files, '{{files}}', concat_ws(
            ' union ',
            case when op <> 'DELETE' then 'select n.project_id, n.comment_id from {{new}} n' end,
            case when op <> 'INSERT' then 'select o.project_id, o.comment_id from {{old}} o' end)) end,
          case when k.tallies <> '{}' then replace(deltas, '{{counted}}', ltrim(concat_ws(
            E'\n          union all',
            case when op <> 'DELETE' then counted_new end,
            case when op <> 'INSERT' then counted_old end,
            case when k.table_name = 'tasks' and op = 'UPDATE' and not is_row then counted_reopened end), E'\n ')) end,
          case k.table_name
            when 'api_keys' then case op when 'UPDATE' then selections end
            when 'tasks' then case
              when op = 'INSERT' then created_history when op = 'UPDATE' then updated_history when is_row then deleted_history end
          end,
          -- The time entries of a new task come after it, unless both are replicated.
          case when has_effort and (is_row or k.table_name <> 'tasks' or op <> 'INSERT') then
            case op when 'UPDATE' then moved_efforts else efforts end end
        ], ',') || ends;
        if k.table_name = 'tasks' and op <> 'DELETE' and not is_row then
          statement := $$setting := set_config('workgate.housekeeping', 'on', true);
    $$ || statement || $$
    setting := set_config('workgate.housekeeping', '', true);$$;
        end if;
        statement := statement || case when is_synced and not is_row then refusal else '' end || case
          when k.tallies = '{}' then case
            when op <> 'DELETE' then ''
            when k.table_name = 'projects' then case when is_row then clearing_of_row else clearing end
            when k.table_name = 'api_keys' and is_row then clearing_of_key
            else ''
          end
          else case when k.table_name = 'tasks' and op = 'INSERT' and not is_row then numbers else '' end || compaction
        end;
        for word in
          select *
          from jsonb_each_text(words || jsonb_build_object(
            'new', case when is_row then 'unnest(array[new])' else 'new_rows' end,
            'old', case when is_row then 'unnest(array[old])' else 'old_rows' end,
            'rows', rows,
            'is large', case when k.tallies = '{}' then 'false' else format('exists (select from %s offset 100)', rows) end,
            'is ahead', case when k.table_name = 'tasks' and op = 'INSERT' and not is_row then ahead else 'false' end,
            'synced', case when is_synced and not is_row then replace(replace(synced_project, '{{rows}}', rows),
              '{{unless removed}}', case when k.table_name = 'task_watchers' and op = 'DELETE' then unless_removed else '' end) else 'null::uuid' end,
            'o is here', case
              when k.table_name = 'projects' then 'workgate.is_here(o.id)'
              -- The contents of a deleted project need no entries and no deltas. A replicated row can outlive its project.
              when op = 'DELETE' and not is_row and k.scope = 'project_id' then 'exists (select from workgate.projects p where p.id = o.project_id)'
              else 'true'
            end,
            -- The source may replicate its own history before or after the task.
            'unless known', case when is_row then E'\n        on conflict do nothing' end))
        loop
          statement := replace(statement, '{{' || word.key || '}}', coalesce(word.value, ''));
        end loop;
        bodies := bodies || statement;
      end loop;
    end loop;
    execute format(replace($f$
create function workgate.record_{{table}}() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
set jit = off
as $b$
declare
  scopes text;
  is_large boolean;
  is_ahead boolean;
  synced uuid;
  setting text;
begin
  if tg_level = 'ROW' then
    if tg_op = 'INSERT' then
      %s
    elsif tg_op = 'UPDATE' then
      %s
    else
      %s
    end if;
  elsif tg_op = 'INSERT' then
    %s
  elsif tg_op = 'UPDATE' then
    %s
  -- A cascade fires the trigger once for each deleted parent, mostly without any row.
  elsif exists (select from old_rows) then
    %s
  end if;
  if scopes <> '' then
    scopes := workgate.remember_scopes(scopes);
  end if;
  return null;
end
$b$;
create trigger {{table}}_record_on_insert after insert on workgate.{{table}}
  referencing new table as new_rows for each statement %s execute function workgate.record_{{table}}();
create trigger {{table}}_record_on_update after update on workgate.{{table}}
  referencing old table as old_rows new table as new_rows for each statement %s execute function workgate.record_{{table}}();
create trigger {{table}}_record_on_delete after delete on workgate.{{table}}
  referencing old table as old_rows for each statement execute function workgate.record_{{table}}();
create trigger {{table}}_record_on_truncate after truncate on workgate.{{table}}
  for each statement execute function workgate.record_truncate(%s);
create trigger {{table}}_record_replicated after insert or update or delete on workgate.{{table}}
  for each row when (workgate.applies_replicated_rows()) execute function workgate.record_{{table}}();
$f$, '{{table}}', k.table_name),
      bodies[1], bodies[2], bodies[3], bodies[4], bodies[5], bodies[6],
      -- The trigger of tasks records what it writes to its own table and to the history.
      case k.table_name when 'task_history' then 'when (not workgate.is_housekeeping())' end,
      case when k.table_name in ('tasks', 'task_history') then 'when (not workgate.is_housekeeping())' end,
      (select string_agg(quote_literal(t), ', ') from unnest(k.tallies) t));
  end loop;
end
$do$;
