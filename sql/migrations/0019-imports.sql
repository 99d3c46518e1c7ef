-- Saved options of imports, the changes of each import, and further ids of users.

create table workgate.import_mappings (
  project_id  uuid not null,
  name        text not null,
  options     text[] not null,
  constraint import_mappings_pkey primary key (project_id, name),
  constraint import_mappings_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint import_mappings_name_form check (name ~ '^\S(.*\S)?$' and char_length(name) <= 100)
);
comment on table workgate.import_mappings is 'Options that workgate import --save has kept for --like: what the columns and values of a file mean.';

create table workgate.imports (
  id           bigint generated always as identity,
  at           workgate.moment not null default workgate.present(),
  file         text not null,
  formats      text[] not null,
  project_ids  uuid[] not null,
  counts       jsonb not null,
  undo_of      bigint,
  undone_at    workgate.moment,
  constraint imports_pkey primary key (id)
);
comment on table workgate.imports is 'The imports of the last 90 days.';
comment on column workgate.imports.at is 'The end of the import: an object that was changed later has a later updated_at.';
comment on column workgate.imports.undo_of is 'The import that this one has undone.';
comment on column workgate.imports.counts is 'The number of objects by kind and outcome.';

create table workgate.import_changes (
  import_id  bigint not null,
  scope      uuid not null,
  kind       text not null,
  id         uuid not null,
  event      text not null,
  before     jsonb,
  constraint import_changes_pkey primary key (import_id, scope, kind, id),
  constraint import_changes_import foreign key (import_id) references workgate.imports on delete cascade
);
comment on table workgate.import_changes is 'The objects that each import has created, changed or deleted.';
comment on column workgate.import_changes.scope is 'The project, or 00000000-0000-0000-0000-000000000000 for people and teams.';
comment on column workgate.import_changes.event is 'created, updated or deleted.';
comment on column workgate.import_changes.before is 'The object before the import, as a line of an export.';

create table workgate.user_aliases (
  id       uuid not null,
  user_id  uuid not null,
  constraint user_aliases_pkey primary key (id)
);
comment on table workgate.user_aliases is
  'Further ids by which imports know a user: of people who were merged into the user, or found by address or name. Without a '
  'foreign key: an alias of a user who does not exist means nothing.';
create index user_aliases_by_user on workgate.user_aliases (user_id);
