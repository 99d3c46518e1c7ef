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
language sql stable
return case
  when coalesce(current_setting('workgate.channel', true), '') = '' then 'sql'
  when workgate.is_service() then current_setting('workgate.channel')
  when workgate.may_name_writers() and current_setting('workgate.channel') not in ('api', 'import', 'sync', 'system')
    then current_setting('workgate.channel')
  else 'sql'
end;
comment on function workgate.channel() is
  'The channel of the session: the setting workgate.channel, if the role may set it, or else sql.';

create function workgate.session_role() returns jsonb
language sql stable
-- In a security definer function, current_user is the owner of the function instead.
return jsonb_build_object('role', coalesce(nullif(current_setting('role'), 'none'), session_user));

create function workgate.said_actor() returns jsonb
language plpgsql stable
as $$
declare
  said constant text := nullif(current_setting('workgate.actor', true), '');
begin
  if said like '{%' then
    begin
      return said::jsonb;
    exception when invalid_text_representation then
      null; -- Not JSON: a name that starts with a brace.
    end;
  end if;
  return case when said is not null then jsonb_build_object('name', said) end;
end
$$;
comment on function workgate.said_actor() is 'The setting workgate.actor, which is a name or a JSON object, as a JSON object.';

create function workgate.actor() returns jsonb
language sql stable
return case
  when workgate.is_service() then coalesce(workgate.said_actor(), workgate.session_role())
  when workgate.may_name_writers()
    and workgate.channel() = coalesce(nullif(current_setting('workgate.channel', true), ''), 'sql')
    and (workgate.said_actor() ?| '{keyId,role,claimed}') is not true
    then coalesce(workgate.said_actor(), '{}') || workgate.session_role()
  when concat(current_setting('workgate.channel', true), current_setting('workgate.actor', true)) = '' then workgate.session_role()
  else workgate.session_role() || jsonb_build_object('claimed', jsonb_strip_nulls(jsonb_build_object(
    'channel', nullif(current_setting('workgate.channel', true), ''), 'actor', workgate.said_actor())))
end;
comment on function workgate.actor() is
  'The writer as JSON: the setting workgate.actor, if the role may set it; or else {role}, and what the session says beside it '
  'as {claimed: {channel, actor}}.';
