-- The service accepts a cursor of changes if it knows the epoch in which it was made, and the secret that encrypts it.
--
-- An epoch begins whenever the server starts, recovers from a crash or is promoted. Each time, commits may be lost that
-- readers of the journal already know: those written after the log position at which the epoch began.

create table workgate.epochs (
  n        integer not null,
  id       uuid not null default gen_random_uuid(),
  journal  text not null,
  started  timestamptz not null,
  lsn      pg_lsn not null,
  constraint epochs_pkey primary key (n),
  constraint epochs_id_key unique (id)
);
comment on table workgate.epochs is
  'The starts, recoveries and promotions of the server, recorded by the service. Do not load rows into it.';
comment on column workgate.epochs.journal is 'The system identifier of the server, and the table of the journal.';
comment on column workgate.epochs.started is
  'The start time of the server. It stays the same if the server restarts only its backends after a crash of one.';
comment on column workgate.epochs.lsn is
  'Everything that was written before this position of the log is kept, whatever was lost when the epoch began.';

create table workgate.cursor_secrets (
  created_at  timestamptz not null,
  secret      bytea not null,
  constraint cursor_secrets_pkey primary key (created_at),
  constraint cursor_secrets_length check (octet_length(secret) = 32)
);
comment on table workgate.cursor_secrets is
  'The secrets with which cursors of changes are encrypted: the newest one, and the one before, which is still accepted.';

create function workgate.rotate_cursor_secret() returns void
language plpgsql volatile
as $$
declare
  newest constant timestamptz := (select max(created_at) from workgate.cursor_secrets);
  added_at constant timestamptz := greatest(clock_timestamp(), newest + interval '1 microsecond');
  -- Of 244 random bits.
  added constant bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  insert into workgate.cursor_secrets (created_at, secret) values (added_at, added);
  delete from workgate.cursor_secrets where created_at < newest;
end
$$;
comment on function workgate.rotate_cursor_secret() is
  'Encrypts cursors of changes with a new secret. Cursors that were encrypted with the last one stay valid, and earlier ones '
  'expire.';
select workgate.rotate_cursor_secret();

create function workgate.journal_identity() returns text
language sql stable
return (select system_identifier from pg_control_system()) || ' ' || 'workgate.journal'::regclass::oid;

create function workgate.current_epoch() returns uuid
language sql stable
begin atomic
  select e.id
  from workgate.epochs e
  where not pg_is_in_recovery()
    and e.journal = workgate.journal_identity()
    and e.started = pg_postmaster_start_time()
    -- After a recovery, this is the last position that was replayed; null after a clean start.
    and e.lsn = coalesce(pg_last_wal_replay_lsn(), e.lsn);
end;
comment on function workgate.current_epoch() is
  'The epoch of the running server; null if it is not recorded yet, and on a standby.';

create function workgate.begin_epoch() returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if workgate.current_epoch() is not null and exists (select from workgate.cursor_secrets) then
    return;
  end if;
  perform pg_advisory_xact_lock(1465336407);
  if not exists (select from workgate.cursor_secrets) then
    perform workgate.rotate_cursor_secret();
  end if;
  -- Restored from another database, whose log positions mean nothing here.
  delete from workgate.epochs where journal <> workgate.journal_identity();
  insert into workgate.epochs (n, journal, started, lsn)
  select
    coalesce(max(n), 0) + 1,
    workgate.journal_identity(),
    pg_postmaster_start_time(),
    -- A clean start loses nothing. If an old copy was started, it lacks the epochs of the lost cursors.
    coalesce(pg_last_wal_replay_lsn(), pg_current_wal_insert_lsn())
  from workgate.epochs
  having workgate.current_epoch() is null;
end
$$;
comment on function workgate.begin_epoch() is
  'Records the epoch of the running server, unless it is recorded, and makes a secret of cursors if there is none.';

-- Why a cursor of changes has expired; the reasons are those of src/resources/changes/cursor-expired.ts. Null: it has not.

create function workgate.epoch_expiry(epoch uuid, log_end pg_lsn) returns text
language plpgsql stable
as $$
begin
  return case
    when not exists (select from workgate.epochs e where e.id = epoch) then 'other_database'
    -- The reader may know commits that were lost when a later epoch began.
    when exists (
      select
      from workgate.epochs e
      join workgate.epochs later on later.n > e.n and later.lsn < log_end
      where e.id = epoch)
      then 'lost_commits'
  end;
end
$$;

create function workgate.journal_expiry(base pg_snapshot, target pg_snapshot) returns text
language plpgsql stable
as $$
begin
  return case
    when exists (
      select
      from workgate.journal_horizon h
      where h.xid >= pg_snapshot_xmin(base)
        -- Later ones, here and below, were restored from another server.
        and h.xid < pg_snapshot_xmax(target))
      then 'too_old'
    when exists (
      select
      from workgate.journal j
      where j.scope = '00000000-0000-0000-0000-000000000000'
        and j.kind = 'everything'
        and j.xid >= pg_snapshot_xmin(base)
        and j.xid < pg_snapshot_xmax(target)
        and not pg_visible_in_snapshot(j.xid, base))
      then 'unrecorded_changes'
  end;
end
$$;
