-- An expired key keeps its name until it is revoked, and cannot be rotated: as in 0004, but for the hint.

create or replace function workgate.issue_key(
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
begin
  if exists (select from workgate.api_keys k where k.name = issue_key.name and k.revoked_at is null) then
    raise exception using
      errcode = 'WG004',
      message = format('an API key named "%s" exists', issue_key.name),
      hint = 'Revoke it (or, unless it has expired, rotate it), or choose another name.';
  end if;
  if issue_key.expires_at <= now() then
    raise exception using errcode = 'WG005', message = 'expires_at lies in the past';
  end if;
  perform workgate.check_key_projects(issue_key.project_ids);
  select * into made from workgate.new_key();
  insert into workgate.api_keys (id, name, key_hash, scope_mode, project_ids, operations, rate_limit_per_minute, expires_at)
  values (
    made.id, issue_key.name, sha256(convert_to(made.key, 'UTF8')), issue_key.scope_mode,
    array(select distinct chosen from unnest(coalesce(issue_key.project_ids, '{}')) as chosen order by chosen),
    coalesce(issue_key.operations, case issue_key.scope_mode
      when 'all_projects' then array['create_project', 'create_task', 'complete_task']
      else array['create_task', 'complete_task']
    end),
    issue_key.rate_limit_per_minute, issue_key.expires_at);
  return made.key;
end
$$;
