-- The role workgate_api: the privileges that the running service needs, and no others. "workgate grants" prints this
-- file. On the embedded database, the service runs it at each start, and serves requests as this role.
--
-- On a server, run it as the owner of schema workgate on a migrated database. You can run it again at any time:
--   workgate grants | psql -v ON_ERROR_STOP=1 postgres://owner@host/database
-- It creates the role if it does not exist, which requires CREATEROLE. The role has no password until you set one:
--   psql postgres://owner@host/database -c '\password workgate_api'
-- Members of the role (create role shop login in role workgate_api) have the same privileges. Migrations run this file
-- again. By default, PostgreSQL lets every role execute functions. They can do only what the privileges of their caller
-- allow.

do $$
begin
  if not exists (select from pg_roles where rolname = 'workgate_api') then
    create role workgate_api login;
  end if;
  execute format('grant connect on database %I to workgate_api', current_database());

  -- Revokes privileges that only an earlier version needed. Other sessions see all these changes at once.
  revoke all on all tables in schema workgate from workgate_api;
  revoke all on all functions in schema workgate from workgate_api;
  grant usage on schema workgate to workgate_api;

  -- Tables that the service reads. It needs the hashes of keys to verify keys. A key cannot be derived from its hash.
  -- It reads every column of documents except markdown.
  grant select on
    workgate.users, workgate.teams, workgate.team_members, workgate.projects, workgate.projects_here, workgate.project_members, workgate.project_teams,
    workgate.boards, workgate.stages, workgate.tasks, workgate.fields, workgate.tags, workgate.task_tags, workgate.task_watchers,
    workgate.task_history, workgate.comments, workgate.files, workgate.time_entries,
    workgate.tallies, workgate.tally_deltas, workgate.task_efforts, workgate.effort_marks,
    workgate.freshness_marks, workgate.freshness_versions, workgate.journal, workgate.journal_horizon, workgate.epochs, workgate.cursor_secrets, workgate.migrations, workgate.idempotency_records, workgate.api_key_uses
    to workgate_api;
  grant select (
    id, first_id, name, key_hash, scope_mode, project_ids, operations, rate_limit_per_minute, expires_at, revoked_at,
    created_at
  ) on workgate.api_keys to workgate_api;
  grant select (
    project_id, id, path, title, task_id, author_id, size_bytes, word_count, headings, sha256, revision, created_at, updated_at
  ) on workgate.documents to workgate_api;
  grant select (project_id, address) on workgate.sources to workgate_api;

  -- Tables that API requests write. A trigger adds a new project to the selected projects of the key that created it.
  grant insert on
    workgate.projects_here, workgate.project_members, workgate.boards, workgate.stages,
    workgate.tasks, workgate.tags, workgate.task_tags, workgate.task_watchers
    to workgate_api;
  grant update (state, stage_id) on workgate.tasks to workgate_api;
  grant update (name) on workgate.tags to workgate_api;

  -- The service's own records, and compaction.
  grant insert, delete on workgate.idempotency_records to workgate_api;
  grant execute on function
    workgate.compact_marks(), workgate.compact_next_tallies(uuid, integer), workgate.drop_old_entries(interval, integer),
    workgate.begin_epoch(), workgate.record_uses(text[], timestamptz[])
    to workgate_api;

  -- Privileges of public are only reported: other roles may need them.
  if has_database_privilege('workgate_api', current_database(), 'temporary') then
    raise notice 'workgate_api can create temporary tables, as every role can. To prevent this: '
      'revoke temporary on database % from public', quote_ident(current_database());
  end if;
  if has_schema_privilege('workgate_api', to_regnamespace('public'), 'create') then
    raise notice 'workgate_api can create tables in schema public, as every role can. To prevent this: '
      'revoke create on schema public from public';
  end if;
end
$$;
