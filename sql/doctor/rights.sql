-- workgate doctor: the privileges that the service needs and this role lacks, and whether the role owns the schema.
-- Ignores tables and functions that do not exist: the check of migrations reports them.
with needed (right_to, name, columns) as (
  values
    ('select', 'users', null),
    ('select', 'teams', null),
    ('select', 'team_members', null),
    ('select', 'projects', null),
    ('select', 'projects_here', null),
    ('select', 'project_members', null),
    ('select', 'project_teams', null),
    ('select', 'boards', null),
    ('select', 'stages', null),
    ('select', 'tasks', null),
    ('select', 'fields', null),
    ('select', 'tags', null),
    ('select', 'task_tags', null),
    ('select', 'task_watchers', null),
    ('select', 'task_history', null),
    ('select', 'comments', null),
    ('select', 'files', null),
    ('select', 'time_entries', null),
    ('select', 'tallies', null),
    ('select', 'tally_deltas', null),
    ('select', 'task_efforts', null),
    ('select', 'effort_marks', null),
    ('select', 'freshness_marks', null),
    ('select', 'freshness_versions', null),
    ('select', 'journal', null),
    ('select', 'journal_horizon', null),
    ('select', 'epochs', null),
    ('select', 'cursor_secrets', null),
    ('select', 'migrations', null),
    ('select', 'idempotency_records', null),
    ('select', 'api_key_uses', null),
    ('select', 'api_keys', array[
      'id', 'first_id', 'name', 'key_hash', 'scope_mode', 'project_ids', 'operations', 'rate_limit_per_minute', 'expires_at',
      'revoked_at', 'created_at']),
    ('select', 'documents', array[
      'project_id', 'id', 'path', 'title', 'task_id', 'author_id', 'size_bytes', 'word_count', 'headings', 'sha256', 'revision',
      'created_at', 'updated_at']),
    ('select', 'sources', array['project_id', 'address']),
    ('insert', 'projects_here', null),
    ('insert', 'project_members', null),
    ('insert', 'boards', null),
    ('insert', 'stages', null),
    ('insert', 'tasks', null),
    ('insert', 'tags', null),
    ('insert', 'task_tags', null),
    ('insert', 'task_watchers', null),
    ('insert', 'idempotency_records', null),
    ('update', 'tasks', array['state', 'stage_id']),
    ('update', 'tags', array['name']),
    ('delete', 'idempotency_records', null)
)
select
  pg_has_role(s.nspowner, 'usage') as "isOwner",
  array_to_json(array(
    select n.right_to || ' on ' || n.name
    from needed n
    join pg_class c on c.relnamespace = s.oid and c.relname = n.name
    where case
      when n.columns is null then not has_table_privilege(c.oid, n.right_to)
      else exists (
        select from pg_attribute a
        where a.attrelid = c.oid
          and a.attname = any (n.columns)
          and not has_column_privilege(c.oid, a.attnum, n.right_to))
      end
    union all
    select 'execute of ' || p.proname
    from pg_proc p
    where p.pronamespace = s.oid
      and p.proname in ('compact_marks', 'compact_next_tallies', 'drop_old_entries', 'begin_epoch', 'record_uses')
      and not has_function_privilege(p.oid, 'execute')
    union all
    select 'usage of schema workgate'
    where not has_schema_privilege(s.oid, 'usage')
  )) as missing
from pg_namespace s
where s.nspname = 'workgate'
