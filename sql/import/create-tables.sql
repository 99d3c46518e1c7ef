-- If the command is interrupted, the server notices it during a statement, too.
do $$
begin
  set client_connection_check_interval = '1s';
exception when invalid_parameter_value then
  null; -- Windows and older systems cannot tell.
end
$$;

-- Those of an earlier import in the session.
discard temp;

-- The rows of a file, as JSON with the fields of the API. A later row with the same id replaces an earlier one.
create temporary table imported (
  kind        text not null,
  project_id  uuid not null,
  id          uuid not null,
  line        bigint not null,
  data        jsonb not null,
  primary key (kind, project_id, id)
);

-- The outcomes by kind: the number of rows, and the first of their names.
create temporary table results (
  kind     text not null,
  outcome  text not null,
  n        bigint not null,
  names    text[]
);

-- Rows that cannot be imported.
create temporary table refused (
  line   bigint not null,
  name   text not null,
  value  text not null,
  rule   text not null
);

-- Tasks that the file no longer has, if it is complete.
create temporary table missing_tasks (
  project_id  uuid not null,
  id          uuid not null,
  primary key (project_id, id)
);
