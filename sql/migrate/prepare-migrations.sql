-- Creates the table of applied migrations.
create schema if not exists workgate;
create table if not exists workgate.migrations (
  name        text not null constraint migrations_pkey primary key,
  checksum    text not null,
  applied_at  timestamptz not null default now()
);
comment on table workgate.migrations is 'The migrations that were applied, with the SHA-256 of their text.'
