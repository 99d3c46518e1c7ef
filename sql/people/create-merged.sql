-- The people who become the user keep_id, in the order in which they were named.
create temporary table merged (
  id       uuid primary key,
  keep_id  uuid not null,
  n        bigint not null,
  name     text not null,
  email    text
) on commit drop
