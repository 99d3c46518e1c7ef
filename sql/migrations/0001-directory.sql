-- The directory: users, teams and API keys. Project tables reference the directory; the directory never references
-- project tables, so that project tables can be distributed by project.

comment on schema workgate is
  'Workgate: project data behind a key-authenticated HTTP API. You can load and change rows with SQL: constraints and '
  'triggers apply to every writer.';

create domain workgate.moment as timestamptz(3)
  constraint moment_is_a_real_time
    check (value >= '0001-01-01 00:00:00+00' and value < '10000-01-01 00:00:00+00');
comment on domain workgate.moment is 'A point in time with millisecond precision, as in the API, in the years 1 to 9999 (UTC).';

create domain workgate.day as date
  constraint day_is_a_real_date check (value >= '0001-01-01' and value < '10000-01-01');
comment on domain workgate.day is 'A calendar date in the years 1 to 9999.';

-- Functions that the column defaults call.

create function workgate.new_id() returns uuid
language sql volatile parallel safe
return encode(
  set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
      from 1 for 6),
    52, 1), 53, 1),
  'hex')::uuid;
comment on function workgate.new_id() is 'Returns a version 7 UUID, which sorts by the millisecond of its creation.';

create function workgate.present() returns timestamptz
language sql volatile parallel safe
return date_trunc('milliseconds', clock_timestamp());
comment on function workgate.present() is
  'The current time, truncated (not rounded) to milliseconds so that no row is dated in the future.';

create function workgate.fetch_lines(cursor_name text, max_bytes bigint) returns setof text
language plpgsql volatile
as $$
declare
  lines constant refcursor := cursor_name;
  line text;
  bytes bigint := 0;
begin
  while bytes < max_bytes loop
    fetch next from lines into line;
    exit when not found;
    return next line;
    bytes := bytes + octet_length(line);
  end loop;
end
$$;
comment on function workgate.fetch_lines(text, bigint) is
  'The next rows of a cursor with one text column: those that begin in the first max_bytes, so at least one. A fetch of a '
  'number of rows can be of any size.';

create table workgate.users (
  id          uuid not null default workgate.new_id(),
  name        text not null,
  email       text,
  active      boolean not null default true,
  created_at  workgate.moment not null default workgate.present(),
  updated_at  workgate.moment not null default workgate.present(),
  constraint users_pkey primary key (id),
  constraint users_name_form check (char_length(name) <= 200 and name ~ '\S'),
  constraint users_email_form check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 320)
);
create unique index users_email_taken on workgate.users (lower(email));
comment on table workgate.users is 'People. The API shows a user only as a member of a project.';
comment on column workgate.users.email is 'Unique regardless of case. Null if none is known, as for users of a tool that does not export it.';
comment on column workgate.users.active is 'False for people who have left. Their earlier work still shows their name.';

create table workgate.teams (
  id           uuid not null default workgate.new_id(),
  name         text not null,
  description  text,
  created_at   workgate.moment not null default workgate.present(),
  updated_at   workgate.moment not null default workgate.present(),
  constraint teams_pkey primary key (id),
  constraint teams_name_form check (char_length(name) <= 200 and name ~ '\S'),
  constraint teams_description_length check (char_length(description) <= 20000)
);
comment on table workgate.teams is 'Groups of users. The API shows a team only in the projects that it works on.';

create table workgate.team_members (
  team_id    uuid not null,
  user_id    uuid not null,
  joined_at  workgate.moment not null default workgate.present(),
  constraint team_members_pkey primary key (team_id, user_id),
  constraint team_members_team foreign key (team_id) references workgate.teams on delete cascade,
  constraint team_members_user foreign key (user_id) references workgate.users on delete cascade
);
create index team_members_by_user on workgate.team_members (user_id);
comment on table workgate.team_members is 'The members of each team.';

create table workgate.api_keys (
  id                     text not null,
  first_id               text,
  name                   text not null,
  key_hash               bytea not null,
  scope_mode             text not null,
  project_ids            uuid[] not null default '{}',
  operations             text[] not null,
  rate_limit_per_minute  integer,
  expires_at             workgate.moment,
  revoked_at             workgate.moment,
  created_at             workgate.moment not null default workgate.present(),
  constraint api_keys_pkey primary key (id),
  constraint api_keys_id_form check (id ~ '^[0-9a-z]{12}$'),
  -- Without control characters, and without characters that change the direction of the writing.
  constraint api_keys_name_form check (
    name ~ '^\S(.*\S)?$' and char_length(name) <= 100
    and name !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]'
  ),
  constraint api_keys_hash_is_sha256 check (octet_length(key_hash) = 32),
  constraint api_keys_scope_mode check (scope_mode in ('selected_projects', 'all_projects')),
  constraint api_keys_all_projects_selects_none check (scope_mode = 'selected_projects' or project_ids = '{}'),
  constraint api_keys_max_projects check (cardinality(project_ids) <= 1000),
  constraint api_keys_projects_without_null check (array_position(project_ids, null) is null),
  constraint api_keys_operations check (operations <@ array['create_project', 'create_task', 'complete_task']),
  constraint api_keys_rate_limit check (rate_limit_per_minute between 1 and 1000000)
);
create unique index api_keys_name_taken on workgate.api_keys (name) where revoked_at is null;
comment on table workgate.api_keys is
  'API keys. Only a hash of each key is stored. To change keys, call the functions issue_key, rotate_key, revoke_key '
  'and set_key_projects; to list them, read the view workgate.keys.';
comment on column workgate.api_keys.id is 'The 12 characters after wg_ in the key.';
comment on column workgate.api_keys.first_id is
  'The id of the first key of the chain of rotations that led to this key; null for a key that replaced no other. '
  'Unlike a name, which can be issued again, it identifies the key and its rotated predecessors.';
comment on column workgate.api_keys.key_hash is
  'SHA-256 of the whole key. The key itself is shown once, when it is issued, and never stored.';
comment on column workgate.api_keys.project_ids is
  'The projects that a selected_projects key can access, at most 1000, because requests load them. Not a foreign key: '
  'the directory does not reference projects.';
comment on column workgate.api_keys.rate_limit_per_minute is 'Null means the default of the service, RATE_LIMIT_PER_MINUTE.';
comment on column workgate.api_keys.revoked_at is
  'The key is refused from this time on. For a rotated key it is the end of the overlap with its successor.';

create table workgate.api_key_uses (
  key_id        text not null,
  last_used_at  workgate.moment not null,
  constraint api_key_uses_pkey primary key (key_id),
  constraint api_key_uses_key foreign key (key_id) references workgate.api_keys on delete cascade
);
comment on table workgate.api_key_uses is
  'When each key was last used, accurate to half a minute. A separate table, so that using a key does not change its '
  'row in api_keys.';
