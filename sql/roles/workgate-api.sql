-- The role workgate_api: what the running service does, and nothing else. "workgate grants" prints this file.
--
-- Say it as the owner of schema workgate to a database that is migrated, as often as you like:
--   workgate grants | psql -v ON_ERROR_STOP=1 postgres://owner@host/database
-- The role is made if there is none, for which the owner needs CREATEROLE, and has no password until you give it one:
--   psql postgres://owner@host/database -c '\password workgate_api'
-- Another role that is a member of it (create role shop login in role workgate_api) can do the same. Whoever migrates
-- says it again by that. Functions are everybody's, by PostgreSQL's default: they do what the rights on tables let them.

do $$
begin
  if not exists (select from pg_roles where rolname = 'workgate_api') then
    create role workgate_api login;
  end if;
  execute format('grant connect on database %I to workgate_api', current_database());

  -- What an earlier version needed goes; nobody sees it, because all of this happens at once.
  revoke all on all tables in schema workgate from workgate_api;
  revoke all on all functions in schema workgate from workgate_api;
  grant usage on schema workgate to workgate_api;

  -- What it reads. Of keys the hashes as well, by which it knows them; they cannot be turned back into keys. Of documents
  -- all but their markdown.
  grant select on
    workgate.users, workgate.teams, workgate.team_members, workgate.projects, workgate.project_members, workgate.project_teams,
    workgate.boards, workgate.stages, workgate.tasks, workgate.tags, workgate.task_tags, workgate.task_watchers,
    workgate.task_history, workgate.comments, workgate.comment_files, workgate.time_entries,
    workgate.tallies, workgate.tally_deltas, workgate.task_efforts, workgate.effort_marks,
    workgate.changes, workgate.versions, workgate.migrations, workgate.idempotency_records, workgate.api_key_uses
    to workgate_api;
  grant select (
    id, name, key_hash, scope_mode, project_ids, operations, rate_limit_per_minute, expires_at, revoked_at, created_at
  ) on workgate.api_keys to workgate_api;
  grant select (
    project_id, id, path, title, task_id, author_id, size_bytes, word_count, headings, sha256, revision, created_at, updated_at
  ) on workgate.documents to workgate_api;

  -- What its writes write. A new project is added to the selection of the key that made it.
  grant insert on
    workgate.projects, workgate.project_members, workgate.boards, workgate.stages,
    workgate.tasks, workgate.tags, workgate.task_tags, workgate.task_watchers
    to workgate_api;
  grant update (state, stage_id) on workgate.tasks to workgate_api;
  grant update (name) on workgate.tags to workgate_api;
  grant update (project_ids) on workgate.api_keys to workgate_api;

  -- What it keeps beside them.
  grant insert, delete on workgate.idempotency_records to workgate_api;
  grant insert, update (last_used_at) on workgate.api_key_uses to workgate_api;
  grant execute on function workgate.compact_changes(), workgate.compact_next_tallies(uuid, integer) to workgate_api;

  -- Not taken from everybody here: others may need it.
  if has_database_privilege('workgate_api', current_database(), 'temporary') then
    raise notice 'workgate_api may make temporary tables, as everybody may: revoke temporary on database % from public',
      quote_ident(current_database());
  end if;
  if has_schema_privilege('workgate_api', to_regnamespace('public'), 'create') then
    raise notice 'workgate_api may make tables in schema public, as everybody may: revoke create on schema public from public';
  end if;
end
$$;
