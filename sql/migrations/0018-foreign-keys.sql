-- Orphans: rows that refer to a row that does not exist, against a foreign key. They can only arise while the triggers of
-- the key are disabled, and a backup that contains them cannot be restored.

create function workgate.orphan_conditions() returns table (
  foreign_key name, on_table regclass, is_orphan text, cleared name[])
language sql stable
as $$
  with keys as (
    select k.*
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    where k.contype = 'f'
      and c.relnamespace = 'workgate'::regnamespace
      and c.relkind = 'r'
  )
  select
    k.conname,
    k.conrelid,
    -- A key with a null column refers to nothing.
    (
      select format(
        '(%s) is not null and not exists (select from %s r where (%s) = (%s))',
        string_agg(format('t.%I', a.attname), ', '), k.confrelid::regclass,
        string_agg(format('r.%I', b.attname), ', '), string_agg(format('t.%I', a.attname), ', '))
      from unnest(k.conkey, k.confkey) as part (attnum, referenced)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = part.attnum
      join pg_attribute b on b.attrelid = k.confrelid and b.attnum = part.referenced
    ),
    array(
      select a.attname
      from pg_attribute a
      where a.attrelid = k.conrelid
        and not a.attnotnull
        and k.confdeltype <> 'c'
        -- A task without its board has no stage, but a task without its stage keeps its board.
        and exists (select from keys wider where wider.conrelid = k.conrelid and wider.conkey @> k.conkey and a.attnum = any (wider.conkey))
        and not exists (
          select from keys narrower
          where narrower.conrelid = k.conrelid
            and narrower.conkey <@ k.conkey
            and not narrower.conkey @> k.conkey
            and a.attnum = any (narrower.conkey))
      order by a.attnum
    )
  from keys k
$$;
comment on function workgate.orphan_conditions() is
  'For each foreign key, the condition for orphans among the rows t, and the columns that remove_orphans() sets to null. '
  'There are none if the key cascades, or if its columns cannot be null: then it deletes the rows.';

create function workgate.orphans() returns table (foreign_key name, on_table regclass, removal text, n bigint)
language plpgsql stable
as $$
declare
  k record;
begin
  for k in select * from workgate.orphan_conditions() c order by c.foreign_key, c.on_table::text loop
    execute format('select count(*) from %s t where %s', k.on_table, k.is_orphan) into n;
    if n > 0 then
      foreign_key := k.foreign_key;
      on_table := k.on_table;
      removal := case when k.cleared = '{}' then 'delete' else 'clear ' || array_to_string(k.cleared, ', ') end;
      return next;
    end if;
  end loop;
end
$$;
comment on function workgate.orphans() is
  'The number of rows that refer to a row that does not exist, by foreign key, and how remove_orphans() removes them.';

create function workgate.remove_orphans() returns void
language plpgsql volatile
as $$
declare
  k record;
  changed bigint;
  found_orphans boolean := true;
  channel constant text := coalesce(current_setting('workgate.channel', true), '');
  not_deferrable constant text := (
    select string_agg(format('alter table %s alter constraint %I not deferrable', c.conrelid::regclass, c.conname), '; ')
    from pg_constraint c
    where c.contype = 'f'
      and c.connamespace = 'workgate'::regnamespace
      and not c.condeferrable
      and c.confdeltype in ('a', 'r'));
begin
  -- An orphan can be referred to by rows that are only changed after it is deleted.
  execute replace(not_deferrable, 'not deferrable', 'deferrable');
  -- Orphans are also removed from projects that have a source.
  perform set_config('workgate.channel', 'system', true);
  set constraints all deferred;
  -- Again and again: a deletion can make orphans of other rows.
  while found_orphans loop
    found_orphans := false;
    for k in select * from workgate.orphan_conditions() c order by c.cleared <> '{}', c.foreign_key loop
      if k.cleared = '{}' then
        execute format('delete from %s t where %s', k.on_table, k.is_orphan);
      else
        execute format('update %s t set %s where %s', k.on_table,
          (select string_agg(format('%I = null', name), ', ') from unnest(k.cleared) name), k.is_orphan);
      end if;
      get diagnostics changed = row_count;
      found_orphans := found_orphans or changed > 0;
    end loop;
  end loop;
  set constraints all immediate;
  perform set_config('workgate.channel', channel, true);
  execute not_deferrable;
end
$$;
comment on function workgate.remove_orphans() is
  'Removes all orphans: clears references that may be missing, and deletes other rows, with all that belongs to them. Call '
  'enable_triggers() before, so that triggers account for the changes.';
