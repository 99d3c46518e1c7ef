-- The changes between two moments, for programs that load a data warehouse by SQL. They name the objects that GET /changes
-- returns. Callers read the objects from the tables, with their own privileges.

create function workgate.changes_cursor() returns text
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  epoch constant uuid := workgate.current_epoch();
  visible constant pg_snapshot := pg_current_snapshot();
  own constant xid8 := pg_current_xact_id_if_assigned();
begin
  if pg_is_in_recovery() then
    raise exception using
      errcode = 'WG009',
      message = 'a standby has no cursors of changes: its snapshots do not name running transactions',
      hint = 'Read changes from the primary server.';
  elsif epoch is null then
    raise exception using
      errcode = 'WG009',
      message = 'the server has just been restarted, and its epoch is not recorded yet',
      hint = 'A running service records it within two seconds. Without one, run "select workgate.begin_epoch()" in a transaction of its own.';
  end if;
  return concat_ws(
    ' ', epoch, pg_current_wal_insert_lsn(),
    concat_ws(
      ':', pg_snapshot_xmin(visible), pg_snapshot_xmax(visible),
      array_to_string(array(
        select xid from pg_snapshot_xip(visible) xid
        union
        -- PostgreSQL does not list the transaction of the caller, which may write more.
        select own where own < pg_snapshot_xmax(visible)
        order by 1
      ), ',')));
end
$$;
comment on function workgate.changes_cursor() is
  'All changes that are visible now, except those of this transaction, as a cursor for changes_since().';

create function workgate.snapshot_of(cursor text) returns pg_snapshot
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  parts constant text[] := string_to_array(cursor, ' ');
  visible constant pg_snapshot := pg_current_snapshot();
  epoch uuid;
  log_end pg_lsn;
  known pg_snapshot;
  expiry text;
begin
  begin
    epoch := parts[1];
    log_end := parts[2];
    known := parts[3];
  exception when data_exception then
    known := null;
  end;
  if epoch is null or log_end is null or known is null or array_length(parts, 1) > 3 then
    raise exception using
      errcode = 'WG010',
      message = format('not a cursor of changes: %L', cursor),
      hint = 'Use a result of workgate.changes_cursor(). Without one, load everything.';
  end if;
  expiry := workgate.epoch_expiry(epoch, log_end);
  if expiry is not null then
    raise exception using
      errcode = 'WG010',
      message = case expiry
        when 'lost_commits' then 'the database has lost commits that the cursor contains'
        else 'the cursor is not known: it is of another database, or this one was restored since or lost commits'
      end,
      hint = 'Load everything again.';
  elsif
    pg_snapshot_xmax(known) > pg_snapshot_xmax(visible)
    or exists (select from pg_snapshot_xip(visible) xid where pg_visible_in_snapshot(xid, known))
  then
    raise exception using
      errcode = 'WG010',
      message = 'the cursor contains commits that are not visible: this transaction began before the cursor was made',
      hint = 'Repeat it in a new transaction. If that fails, load everything again.';
  end if;
  return known;
end
$$;
comment on function workgate.snapshot_of(text) is 'The snapshot of a cursor, which must be of this database, and not of the future.';

create function workgate.changes_since(since text, until text default null)
returns table (project_id uuid, kind text, id uuid, event text, fields text[], at timestamptz, channel text, actor jsonb)
language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  directory constant uuid := '00000000-0000-0000-0000-000000000000';
  base constant pg_snapshot := workgate.snapshot_of(since);
  target constant pg_snapshot := workgate.snapshot_of(coalesce(until, workgate.changes_cursor()));
  expiry constant text := workgate.journal_expiry(base, target);
begin
  if expiry is not null then
    raise exception using
      errcode = 'WG010',
      message = case expiry
        when 'too_old' then 'the cursor is too old: the changes since it are not known any more'
        else 'the changes since the cursor are not known: a table was emptied, or rows were changed with triggers disabled'
      end,
      hint = 'Load everything again.';
  end if;
  return query
  with named as (
    select
      e.xid, e.seq, o.project as project_id, coalesce(workgate.kind_of(o.rank), 'project') as kind, o.object as id, o.rank < 0 as is_end,
      o.change as event, o.changed as fields, e.at::timestamptz as at, e.channel, e.actor
    from (
      select j.*
      from workgate.journal j
      where j.kind not in ('entered', 'left')
        and j.xid >= pg_snapshot_xmin(base)
        and j.xid < pg_snapshot_xmax(target)
        and not pg_visible_in_snapshot(j.xid, base)
        and pg_visible_in_snapshot(j.xid, target)
    ) e
    cross join lateral workgate.named_by(
      e.scope, e.kind, e.id, e.event, e.fields, null, null, directory, -3, directory, 2147483647) o
    -- Replicated rows can outlive their project.
    where o.rank < 0
      or exists (select from workgate.projects p where p.id = o.project)
  ),
  changed as (
    select
      n.project_id, n.kind, n.id,
      not n.is_end and workgate.is_shown(n.project_id, workgate.rank_of(n.kind), n.id) as is_there,
      -- An update tells less than what happened before it.
      coalesce(
        (array_agg(n.event order by n.xid desc, n.seq desc) filter (where n.event not in ('updated', 'deleted')))[1],
        case when count(n.event) > 0 then 'updated' end) as event,
      bool_or(n.fields is null) as is_whole,
      string_agg(array_to_string(n.fields, ','), ',') as names,
      (array_agg(n.at order by n.xid desc, n.seq desc))[1] as at,
      (array_agg(n.channel order by n.xid desc, n.seq desc))[1] as channel,
      (array_agg(n.actor order by n.xid desc, n.seq desc))[1] as actor
    from named n
    group by n.project_id, n.kind, n.id, n.is_end
  )
  select
    c.project_id, c.kind, c.id,
    case when c.is_there then c.event else 'deleted' end,
    case when c.is_there and not c.is_whole then array(
      select distinct name from unnest(string_to_array(c.names, ',')) name where name <> '' order by name
    ) end,
    c.at, c.channel, c.actor
  from changed c;
end
$$;
comment on function workgate.changes_since(text, text) is
  'The objects that have changed between two cursors, or until now, one row each. A project that was deleted has a row with '
  'the event deleted, which stands for everything in it, and comes again with its contents if it exists again.';
