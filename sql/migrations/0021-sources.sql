-- Trackers that the service follows: where they are, how far each project is, and what it has of its tracker.

create table workgate.sources (
  project_id   uuid not null,
  tool         text not null,
  address      text not null,
  namespace    text not null,
  tracker_id   text,
  token_file   text,
  token_env    text,
  allow_local  boolean not null default false,
  state        text not null default 'filling',
  problem      text,
  constraint sources_pkey primary key (project_id),
  constraint sources_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint sources_address_form check (char_length(address) <= 2000 and address ~ '^https?://[^\s/?#@]+/[^\s?#]+$'),
  constraint sources_one_token check (token_file is null or token_env is null),
  constraint sources_state check (state in ('filling', 'following', 'failing', 'paused'))
);
comment on table workgate.sources is 'Trackers that the service follows: the tasks of a project come from its source, and only from there.';
comment on column workgate.sources.namespace is
  'The text from which ids are derived, such as github:acme/web. It remains when the tracker renames its project.';
comment on column workgate.sources.tracker_id is
  'The id of the project in the tracker, which a rename does not change. Null until the first round.';
comment on column workgate.sources.token_file is 'The file that has the token. Tokens themselves are never stored.';
comment on column workgate.sources.token_env is 'The environment variable that has the token.';
comment on column workgate.sources.allow_local is 'Whether the tracker may have a private address.';
comment on column workgate.sources.problem is 'Why it is failing, for people.';

create function workgate.refuse_synced(project uuid) returns void
language plpgsql stable
as $$
declare
  refusal text;
begin
  if workgate.channel() in ('sync', 'system') then
    return;
  end if;
  select format('project %s gets its tasks only from %s', p.key, s.address) into refusal
  from workgate.sources s
  join workgate.projects p on p.id = s.project_id
  where s.project_id = project;
  -- A project is deleted before what it contains.
  if found then
    raise exception using
      errcode = 'WG015',
      message = refusal,
      hint = 'Change them there, or remove the source of the project first.';
  end if;
end
$$;
comment on function workgate.refuse_synced(uuid) is
  'Refuses a change of the tasks of a project that has a source, and of what belongs to them, unless it comes from there, or '
  'the service maintains its own data.';

create table workgate.source_progress (
  project_id       uuid not null,
  cursor           jsonb not null default '{}',
  round            bigint not null default 0,
  round_at         timestamptz,
  applied_round    bigint not null default 0,
  synced_through   timestamptz,
  audited_through  timestamptz,
  failures         integer not null default 0,
  lease_holder     text,
  lease_until      timestamptz,
  fence            bigint not null default 0,
  constraint source_progress_pkey primary key (project_id),
  constraint source_progress_source foreign key (project_id) references workgate.sources on delete cascade
);
comment on table workgate.source_progress is
  'How far each source is. It changes with each round, and so is no part of what the version of a project covers.';
comment on column workgate.source_progress.cursor is
  'mark: the clock of the tracker at the last round. digest: of what changes tasks without a stamp.';
comment on column workgate.source_progress.round is
  'The last round that began. Numbers need no clock: a round with a higher number began later.';
comment on column workgate.source_progress.applied_round is
  'Everything that the tracker had acknowledged before this round began is in the project.';
comment on column workgate.source_progress.synced_through is
  'The time of the database when applied_round began, less the lag that the tracker has.';
comment on column workgate.source_progress.audited_through is
  'The same for the last round that compared everything, also what changes without a stamp.';
comment on column workgate.source_progress.fence is
  'Grows when the lease changes hands. A round commits only with the fence with which it began.';

create table workgate.source_items (
  project_id   uuid not null,
  kind         text not null,
  external_id  text not null,
  id           uuid,
  parent       text,
  fingerprint  text not null,
  refused      boolean not null default false,
  constraint source_items_pkey primary key (project_id, kind, external_id),
  constraint source_items_source foreign key (project_id) references workgate.sources on delete cascade
);
comment on table workgate.source_items is
  'The objects that a project has from its source. They show what was deleted there, and what has not changed.';
comment on column workgate.source_items.id is 'The row here. Null for what is counted at the tracker, but not copied.';
comment on column workgate.source_items.parent is 'The external_id of the task of a comment or of a time entry.';
comment on column workgate.source_items.refused is 'It could not be read or stored. It is tried again when it changes, and when everything is read.';
