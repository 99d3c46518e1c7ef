-- Tells who writes: the channel and the actor in entries of the history and the journal, and which of them are proven.

-- Every session can set workgate.channel and workgate.actor, so who may say what is a matter of privileges. No setting
-- changes session_user.

create function workgate.is_service() returns boolean
language sql stable
as $$ select has_function_privilege(session_user, 'workgate.compact_marks()', 'execute') $$;
comment on function workgate.is_service() is
  'Returns whether the session is that of a role that the service uses: the owner, or one that may maintain its tables.';

create function workgate.write_as(name text, channel text default null) returns void
language plpgsql volatile
as $$
begin
  if channel in ('api', 'import', 'sync', 'system') then
    raise exception using errcode = 'WG013', message = format('only the service can write through channel "%s"', channel);
  end if;
  -- Not by set_config(), which Citus does not pass on to the nodes.
  execute format('set local workgate.actor = %L', jsonb_build_object('name', name));
  execute format('set local workgate.channel = %L', coalesce(channel, ''));
end
$$;
comment on function workgate.write_as(text, text) is
  'Names the person or program for which the transaction writes. What a role says that may not execute this function is '
  'only a claim.';
revoke execute on function workgate.write_as(text, text) from public;

create function workgate.may_name_writers() returns boolean
language sql stable
as $$ select has_function_privilege(session_user, 'workgate.write_as(text, text)', 'execute') $$;

create function workgate.channel() returns text
language plpgsql stable
as $$
declare
  said constant text := nullif(current_setting('workgate.channel', true), '');
begin
  return case
    when said is null then 'sql'
    when workgate.is_service() then said
    when workgate.may_name_writers() and said not in ('api', 'import', 'sync', 'system') then said
    else 'sql'
  end;
end
$$;
comment on function workgate.channel() is
  'The channel of the session: the setting workgate.channel, if the role may set it, or else sql.';

create function workgate.actor() returns jsonb
language plpgsql stable
as $$
declare
  -- In a security definer function, current_user is the owner of the function instead.
  role constant jsonb := jsonb_build_object('role', coalesce(nullif(current_setting('role'), 'none'), session_user));
  channel constant text := nullif(current_setting('workgate.channel', true), '');
  named constant text := nullif(current_setting('workgate.actor', true), '');
  said jsonb;
begin
  if named is null and channel is null then
    return role;
  end if;
  if named like '{%' then
    begin
      said := named::jsonb;
    exception when invalid_text_representation then
      null; -- Not JSON: a name that starts with a brace.
    end;
  end if;
  said := coalesce(said, jsonb_build_object('name', named));
  if workgate.is_service() then
    return case when named is null then role else said end;
  end if;
  if workgate.may_name_writers() and workgate.channel() = coalesce(channel, 'sql') and not said ?| '{keyId,role,claimed}' then
    return case when named is null then role else said || role end;
  end if;
  return role || jsonb_build_object('claimed', jsonb_strip_nulls(
    jsonb_build_object('channel', channel, 'actor', case when named is not null then said end)));
end
$$;
comment on function workgate.actor() is
  'The writer as JSON: the setting workgate.actor, which is a name or a JSON object, if the role may set it; or else {role}, '
  'and what the session says beside it as {claimed: {channel, actor}}.';
