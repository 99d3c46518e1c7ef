-- Functions and a view to issue, rotate, revoke, restrict and list API keys. The command line calls the same functions.
-- They write computed values: Citus plans no subqueries and no volatile functions in statements that write.
-- Errors raised by Workgate's functions have SQLSTATEs of class WG.

create function workgate.new_key(out id text, out key text)
language plpgsql volatile
as $$
begin
  -- gen_random_uuid() returns 122 cryptographically strong random bits, so two calls give more than 192.
  id := left(replace(gen_random_uuid()::text, '-', ''), 12);
  key := 'wg_' || id || '_' || left(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'), 48);
  key := key || left(encode(sha256(convert_to(key, 'UTF8')), 'hex'), 6);
end
$$;
comment on function workgate.new_key() is
  'Creates an id and a key: wg_<id>_<192 random bits><check>. The check is the start of the SHA-256 of the text before '
  'it, so that a mistyped key is recognized.';

create function workgate.selectable(project_ids uuid[]) returns uuid[]
language plpgsql stable
as $$
declare
  unknown text;
begin
  if (select count(distinct chosen) from unnest(project_ids) as chosen) > 1000 then
    raise exception using
      errcode = 'WG005',
      message = 'at most 1000 projects can be selected',
      hint = 'Issue the key for all projects, or issue several keys.';
  end if;
  select string_agg(coalesce(chosen::text, 'null'), ', ') into unknown
  from unnest(project_ids) as chosen
  where not exists (select from workgate.projects p where p.id = chosen);
  if unknown is not null then
    raise exception using errcode = 'WG002', message = 'no such project: ' || unknown;
  end if;
  return array(select distinct chosen from unnest(project_ids) as chosen order by chosen);
end
$$;
comment on function workgate.selectable(uuid[]) is 'The projects without repetitions, in order. Raises an error if a key cannot select them.';

create function workgate.lock_rotations(first_key text) returns void
language plpgsql volatile
as $$
begin
  -- Every caller locks the same row, also after the first key was deleted. This lock does not block inserts into
  -- api_key_uses, which references keys.
  perform from workgate.api_keys k
  where coalesce(k.first_id, k.id) = first_key
  order by k.first_id nulls first, k.created_at, k.id
  limit 1
  for no key update;
end
$$;
comment on function workgate.lock_rotations(text) is
  'Waits for other transactions that change a key or its rotated predecessors. The next statement sees the key that a '
  'rotation has added; a statement that waits for a row itself would not.';

create function workgate.current_key(name text) returns workgate.api_keys
language plpgsql volatile
as $$
declare
  found workgate.api_keys;
begin
  perform workgate.lock_rotations(coalesce(k.first_id, k.id))
  from workgate.api_keys k
  where k.name = current_key.name
    and k.revoked_at is null;
  select k.* into found from workgate.api_keys k where k.name = current_key.name and k.revoked_at is null for update;
  if found.id is null then
    raise exception using errcode = 'WG003', message = format('API key "%s" does not exist or is revoked', current_key.name);
  end if;
  return found;
end
$$;

create function workgate.issue_key(
  name text,
  scope_mode text default 'selected_projects',
  project_ids uuid[] default '{}',
  operations text[] default null,
  rate_limit_per_minute integer default null,
  expires_at timestamptz default null
) returns text
language plpgsql volatile
as $$
declare
  made record;
  chosen_ids uuid[];
  chosen_operations constant text[] := coalesce(issue_key.operations, case issue_key.scope_mode
    when 'all_projects' then array['create_project', 'create_task', 'complete_task']
    else array['create_task', 'complete_task']
  end);
begin
  if exists (select from workgate.api_keys k where k.name = issue_key.name and k.revoked_at is null) then
    raise exception using
      errcode = 'WG004',
      message = format('API key "%s" already exists', issue_key.name),
      hint = 'Revoke the existing key, rotate it if it has not expired, or choose another name.';
  end if;
  if issue_key.expires_at <= now() then
    raise exception using errcode = 'WG005', message = 'expires_at is in the past';
  end if;
  chosen_ids := workgate.selectable(issue_key.project_ids);
  select * into made from workgate.new_key();
  insert into workgate.api_keys (id, name, key_hash, scope_mode, project_ids, operations, rate_limit_per_minute, expires_at)
  values (
    made.id, issue_key.name, sha256(convert_to(made.key, 'UTF8')), issue_key.scope_mode, chosen_ids, chosen_operations,
    issue_key.rate_limit_per_minute, issue_key.expires_at);
  return made.key;
end
$$;
comment on function workgate.issue_key(text, text, uuid[], text[], integer, timestamptz) is
  'Creates an API key and returns it. The key cannot be shown again. Example: '
  'select workgate.issue_key(''ci'', project_ids => array[...]::uuid[])';

create function workgate.rotate_key(name text, overlap interval default '24 hours') returns text
language plpgsql volatile
as $$
declare
  old_key constant workgate.api_keys := workgate.current_key(rotate_key.name);
  overlap_end constant timestamptz := workgate.present() + overlap;
  made record;
begin
  if old_key.expires_at <= now() then
    raise exception using
      errcode = 'WG005',
      message = format('API key "%s" has expired', rotate_key.name),
      hint = 'Revoke it and issue a new one.';
  end if;
  if overlap < interval '0' or overlap is null then
    raise exception using errcode = 'WG005', message = 'overlap must not be negative';
  end if;
  update workgate.api_keys k set revoked_at = overlap_end where k.id = old_key.id;
  select * into made from workgate.new_key();
  insert into workgate.api_keys (
    id, first_id, name, key_hash, scope_mode, project_ids, operations, rate_limit_per_minute, expires_at)
  values (
    made.id, coalesce(old_key.first_id, old_key.id), old_key.name, sha256(convert_to(made.key, 'UTF8')),
    old_key.scope_mode, old_key.project_ids, old_key.operations, old_key.rate_limit_per_minute, old_key.expires_at);
  return made.key;
end
$$;
comment on function workgate.rotate_key(text, interval) is
  'Creates a new key with the same name and permissions and returns it. The old key works until the overlap ends.';

create function workgate.revoke_key(name text) returns void
language plpgsql volatile
as $$
declare
  at constant timestamptz := workgate.present();
begin
  perform workgate.lock_rotations(coalesce(k.first_id, k.id))
  from workgate.api_keys k
  where k.name = revoke_key.name
    and k.revoked_at is null;
  -- Includes rotated keys whose overlap has not ended.
  update workgate.api_keys k
  set revoked_at = at
  where k.name = revoke_key.name
    and (k.revoked_at is null or k.revoked_at > now());
  if not found then
    raise exception using errcode = 'WG003', message = format('API key "%s" does not exist or is revoked', revoke_key.name);
  end if;
end
$$;
comment on function workgate.revoke_key(text) is
  'Revokes the key with this name and its rotated predecessors, immediately on every instance.';

create function workgate.set_key_projects(name text, project_ids uuid[]) returns void
language plpgsql volatile
as $$
declare
  current constant workgate.api_keys := workgate.current_key(set_key_projects.name);
  chosen_ids uuid[];
begin
  if current.scope_mode = 'all_projects' then
    raise exception using errcode = 'WG006', message = format('API key "%s" has access to all projects', set_key_projects.name);
  end if;
  chosen_ids := workgate.selectable(set_key_projects.project_ids);
  -- Includes rotated predecessors: keys with the same name have the same scope.
  update workgate.api_keys k
  set project_ids = chosen_ids
  where k.name = set_key_projects.name
    and (k.revoked_at is null or k.revoked_at > now());
end
$$;
comment on function workgate.set_key_projects(text, uuid[]) is
  'Replaces the projects that a selected_projects key can access, from the next request on.';

-- The role of the service cannot update keys. It can only create projects, and a trigger adds them to the key.
create function workgate.add_to_creating_key(projects uuid[]) returns void
language plpgsql
as $$
declare
  creator constant text := workgate.actor() ->> 'keyId';
  first_key text;
begin
  select coalesce(k.first_id, k.id) into first_key
  from workgate.api_keys k
  where k.id = creator
    and k.scope_mode = 'selected_projects';
  if found then
    perform workgate.lock_rotations(first_key);
    update workgate.api_keys k
    set project_ids = k.project_ids || projects
    where coalesce(k.first_id, k.id) = first_key
      and (k.revoked_at is null or k.revoked_at > now());
  end if;
end
$$;
comment on function workgate.add_to_creating_key(uuid[]) is
  'Adds new projects to the selected projects of the key that the setting workgate.actor names, of its rotated '
  'predecessors and of its successor.';

create function workgate.add_projects_to_creating_key() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- A statement trigger fires even if the statement inserted nothing, for example for a refused request.
  if exists (select from inserted) then
    perform workgate.add_to_creating_key(array(select id from inserted order by id));
  end if;
  return null;
end
$$;

create trigger projects_add_to_creating_key after insert on workgate.projects
  referencing new table as inserted for each statement execute function workgate.add_projects_to_creating_key();

create view workgate.keys as
select
  k.name, k.id,
  case
    when k.revoked_at <= now() then 'revoked'
    when k.expires_at <= now() then 'expired'
    when k.revoked_at is not null then 'rotated'
    else 'active'
  end as status,
  k.scope_mode, k.project_ids, k.operations, k.rate_limit_per_minute,
  k.expires_at, k.revoked_at, k.created_at, u.last_used_at
from workgate.api_keys k
left join workgate.api_key_uses u on u.key_id = k.id
order by k.name, k.created_at;
comment on view workgate.keys is
  'API keys without their hashes. status: active, rotated (works until revoked_at), expired or revoked.';

create function workgate.record_uses(keys text[], times timestamptz[]) returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into workgate.api_key_uses as u (key_id, last_used_at)
  select k.id, used.at
  from unnest(keys, times) as used (key_id, at)
  join workgate.api_keys k on k.id = used.key_id
  order by k.id
  on conflict (key_id) do update set last_used_at = excluded.last_used_at
    where u.last_used_at < excluded.last_used_at;
end
$$;
comment on function workgate.record_uses(text[], timestamptz[]) is
  'Records when keys were last used. Never replaces a time with an earlier one, which an instance that lags behind has.';
