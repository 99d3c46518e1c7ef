-- Projects and their contents. project_id is the first column of every primary key, unique constraint, foreign key and
-- index: the scope of a request is an index prefix, and the tables can be distributed by project.
-- priority is an enum because it has an order; other closed sets are check constraints, which are easier to change.
-- From the first release on, migrations are only added, so changing a constraint takes a new migration.
--
-- JSON parsers read numbers as doubles, which are exact only for integers up to 2^53. Above that, two different states could
-- have the same digest, so constraints named ..._is_exact reject such numbers.

create type workgate.priority as enum ('none', 'low', 'medium', 'high', 'urgent');
-- In "insert … select", text becomes a priority without an explicit cast. The same is impossible for day and moment:
-- PostgreSQL ignores casts to domains.
create cast (text as workgate.priority) with inout as assignment;

create function workgate.sha256_hex(content text) returns text
language sql immutable strict parallel safe
return encode(sha256(convert_to(content, 'UTF8')), 'hex');

create function workgate.word_count(content text) returns integer
language sql immutable strict parallel safe
return (select count(*)::integer from regexp_matches(content, '\S+', 'g'));

create function workgate.outline(markdown text) returns jsonb
language plpgsql immutable strict parallel safe
as $$
declare
  line text;
  previous_line text := '';
  underlined text;
  fence text;
  found text[];
  headings jsonb := '[]';
begin
  foreach line in array regexp_split_to_array(markdown, '\r?\n|\r') loop
    underlined := previous_line;
    previous_line := '';
    found := regexp_match(line, '^ {0,3}(`{3,}|~{3,})(.*)$');
    if fence is not null then
      -- A fence ends at a bare fence of the same character that is at least as long.
      if found[1] like fence || '%' and found[2] !~ '\S' then
        fence := null;
      end if;
    elsif found is not null and (left(found[1], 1) = '~' or found[2] !~ '`') then
      fence := found[1];
    else
      found := regexp_match(line, '^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$');
      if found is not null then
        if found[2] ~ '\S' then
          headings := headings || jsonb_build_object('level', length(found[1]), 'text', btrim(found[2]));
        end if;
      elsif underlined ~ '\S' and line ~ '^ {0,3}(=+|-+)[ \t]*$' then
        headings := headings || jsonb_build_object('level', case when line like '%=%' then 1 else 2 end, 'text', btrim(underlined));
      else
        -- The next line may underline this one as a heading, unless this one is a list item, a quote or code.
        previous_line := case when line ~ '^( {4,}|\t| {0,3}([-+*>]|[0-9]{1,9}[.)])(\s|$))' then '' else line end;
      end if;
    end if;
  end loop;
  return headings;
end
$$;
comment on function workgate.outline(text) is
  'The headings of a Markdown text as [{level, text}]: both # and underlined headings, but none from fenced code.';

create table workgate.projects (
  id           uuid not null default workgate.new_id(),
  key          text not null,
  name         text not null,
  description  text,
  status       text not null default 'active',
  owner_id     uuid,
  start_date   workgate.day,
  due_date     workgate.day,
  created_at   workgate.moment not null default workgate.present(),
  updated_at   workgate.moment not null default workgate.present(),
  version      bigint not null default 1,
  constraint projects_pkey primary key (id),
  constraint projects_key_taken unique (key),
  constraint projects_key_form check (key ~ '^[A-Z][A-Z0-9]{1,11}$'),
  constraint projects_name_form check (char_length(name) <= 200 and name ~ '\S'),
  constraint projects_description_length check (char_length(description) <= 20000),
  constraint projects_status check (status in ('active', 'archived')),
  constraint projects_due_not_before_start check (due_date >= start_date),
  constraint projects_owner foreign key (owner_id) references workgate.users
);
comment on table workgate.projects is 'Projects. Deleting a project deletes its contents.';
comment on column workgate.projects.key is 'The short name that people use, such as WEB. Unique across all projects.';
comment on column workgate.projects.status is 'active or archived. The API does not write to archived projects.';
comment on column workgate.projects.version is 'Increases by 1 with each change to the row. Maintained by a trigger.';

create view workgate.projects_here as select * from workgate.projects;
comment on view workgate.projects_here is
  'All projects. In a cluster in which several servers have their rows, the projects with their contents on this one.';

create table workgate.project_members (
  project_id  uuid not null,
  user_id     uuid not null,
  role        text not null default 'member',
  joined_at   workgate.moment not null default workgate.present(),
  updated_at  workgate.moment not null default workgate.present(),
  constraint project_members_pkey primary key (project_id, user_id),
  constraint project_members_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint project_members_user foreign key (user_id) references workgate.users,
  constraint project_members_role check (role in ('owner', 'admin', 'member', 'viewer'))
);
comment on table workgate.project_members is
  'The members of each project. Only members can be assigned to tasks or watch them.';
comment on column workgate.project_members.role is 'owner, admin, member or viewer.';

create table workgate.project_teams (
  project_id  uuid not null,
  team_id     uuid not null,
  added_at    workgate.moment not null default workgate.present(),
  constraint project_teams_pkey primary key (project_id, team_id),
  constraint project_teams_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint project_teams_team foreign key (team_id) references workgate.teams
);
comment on table workgate.project_teams is 'The teams that work on each project.';

create table workgate.boards (
  project_id   uuid not null,
  id           uuid not null default workgate.new_id(),
  name         text not null,
  description  text,
  position     integer not null default 0,
  archived     boolean not null default false,
  created_at   workgate.moment not null default workgate.present(),
  updated_at   workgate.moment not null default workgate.present(),
  constraint boards_pkey primary key (project_id, id),
  constraint boards_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint boards_name_form check (char_length(name) <= 200 and name ~ '\S'),
  constraint boards_description_length check (char_length(description) <= 20000),
  constraint boards_position_has_neighbors check (position between -2000000000 and 2000000000)
);
comment on table workgate.boards is 'The boards of each project, ordered by position.';

create table workgate.stages (
  project_id  uuid not null,
  id          uuid not null default workgate.new_id(),
  board_id    uuid not null,
  name        text not null,
  position    integer not null default 0,
  category    text not null,
  wip_limit   integer,
  created_at  workgate.moment not null default workgate.present(),
  updated_at  workgate.moment not null default workgate.present(),
  constraint stages_pkey primary key (project_id, id),
  constraint stages_of_board unique (project_id, board_id, id),
  constraint stages_board foreign key (project_id, board_id) references workgate.boards on delete cascade,
  constraint stages_name_form check (char_length(name) <= 200 and name ~ '\S'),
  constraint stages_category check (category in ('backlog', 'active', 'done')),
  constraint stages_wip_limit check (wip_limit > 0),
  constraint stages_position_has_neighbors check (position between -2000000000 and 2000000000)
);
comment on table workgate.stages is 'The columns of each board, ordered by position.';
comment on column workgate.stages.category is
  'backlog, active or done. Completing a task through the API moves it to the first done stage of its board.';
comment on column workgate.stages.wip_limit is
  'The recommended maximum number of tasks in the stage. Shown by the API, not enforced.';

create table workgate.fields (
  id          uuid not null default workgate.new_id(),
  project_id  uuid,
  name        text not null,
  type        text not null,
  constraint fields_pkey primary key (id),
  constraint fields_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint fields_name_form check (name ~ '^[a-z][A-Za-z0-9]{0,47}$'),
  constraint fields_type check (type in ('text', 'number', 'boolean', 'date', 'list'))
);
create unique index fields_name_taken on workgate.fields (coalesce(project_id, '00000000-0000-0000-0000-000000000000'), name);
comment on table workgate.fields is
  'The own fields that tasks can have, by name. workgate.add_field() declares one, and the import those that it meets.';
comment on column workgate.fields.project_id is 'Null: the tasks of all projects can have the field.';
comment on column workgate.fields.name is 'A letter in lower case, then letters and digits, up to 48: storyPoints.';
comment on column workgate.fields.type is 'text, number, boolean, date or list (of texts). It cannot change.';

-- PostgreSQL parses the constraints of a table again in each statement that writes to it, so these are short.
create table workgate.tasks (
  project_id        uuid not null,
  id                uuid not null default workgate.new_id(),
  number            bigint,
  title             text not null,
  description       text,
  description_format  text,
  state             text not null default 'open',
  priority          workgate.priority not null default 'none',
  board_id          uuid,
  stage_id          uuid,
  parent_id         uuid,
  assignee_id       uuid,
  assignee_ids      uuid[],
  creator_id        uuid,
  type              text,
  start_date        workgate.day,
  due_date          workgate.day,
  estimate_seconds  integer,
  fields            jsonb,
  completed_at      workgate.moment,
  cancelled_at      workgate.moment,
  external_id       text,
  external_url      text,
  created_at        workgate.moment not null default workgate.present(),
  updated_at        workgate.moment not null default workgate.present(),
  version           bigint not null default 1,
  constraint tasks_pkey primary key (project_id, id),
  constraint tasks_number_taken unique (project_id, number),
  constraint tasks_number_is_exact check (number between 1 and 9007199254740991),
  constraint tasks_version_is_exact check (version between 1 and 9007199254740991),
  constraint tasks_title_form check (char_length(title) <= 500 and title ~ '\S'),
  constraint tasks_description_length check (char_length(description) <= 100000),
  constraint tasks_description_format check (description_format ~ '^(text|markdown|html|jira)$'),
  constraint tasks_state check (state in ('open', 'completed', 'cancelled')),
  constraint tasks_completed_at_of_completed check ((state = 'completed') = (completed_at is not null)),
  constraint tasks_cancelled_at_of_cancelled check ((state = 'cancelled') = (cancelled_at is not null)),
  constraint tasks_type_form check (char_length(type) <= 100 and type ~ '^\s*[^\sA-Z,][^A-Z,]*$' and type <> 'none'),
  constraint tasks_estimate check (estimate_seconds >= 0),
  constraint tasks_due_not_before_start check (due_date >= start_date),
  constraint tasks_stage_needs_board check (stage_id is null or board_id is not null),
  constraint tasks_external_id_taken unique (project_id, external_id),
  constraint tasks_external_id_form check (char_length(external_id) <= 200 and external_id ~ '^\s*[^\s,][^,]*$'),
  constraint tasks_external_url_form check (char_length(external_url) <= 2000 and external_url ~ '^https?://\S+$'),
  constraint tasks_parent_is_another check (parent_id <> id),
  constraint tasks_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint tasks_board foreign key (project_id, board_id) references workgate.boards,
  constraint tasks_stage_of_board foreign key (project_id, board_id, stage_id) references workgate.stages (project_id, board_id, id),
  constraint tasks_parent foreign key (project_id, parent_id) references workgate.tasks,
  constraint tasks_assignee_is_member foreign key (project_id, assignee_id) references workgate.project_members,
  constraint tasks_creator foreign key (creator_id) references workgate.users
);
comment on table workgate.tasks is 'Tasks. A trigger records every change in task_history.';
comment on column workgate.tasks.number is
  'Sequential within the project. Omit it to get the next number. An explicit number is kept, and the sequence '
  'continues after the highest one, which is at most 9000000000000000.';
comment on column workgate.tasks.state is
  'open, completed or cancelled. completed_at is set if and only if the task is completed, cancelled_at if and only '
  'if it is cancelled.';
comment on column workgate.tasks.completed_at is
  'Set if and only if the task is completed. If omitted, an insert takes it from updated_at, and an update sets the current time.';
comment on column workgate.tasks.cancelled_at is 'Like completed_at, for cancelled tasks.';
comment on column workgate.tasks.board_id is 'The board of the stage. If omitted, it is filled in from stage_id.';
comment on column workgate.tasks.parent_id is 'Another task of the project. Parents form no cycle.';
comment on column workgate.tasks.assignee_id is
  'Must be a member of the project. Before you remove a member, reassign or unassign their tasks.';
comment on column workgate.tasks.assignee_ids is
  'All assignees in their order if there are several: the first is assignee_id. Write either column, and the other follows: a new '
  'assignee_id replaces the first of several, and null all of them.';
comment on column workgate.tasks.description_format is
  'How the description is marked up: text, markdown, html or jira (the wiki markup of Jira). Null if it is not known.';
comment on column workgate.tasks.type is
  'Such as epic, bug or story: any text in lower case without a comma, except none.';
comment on column workgate.tasks.fields is
  'The own fields of the task, as {"storyPoints": 5}: names and values as workgate.fields declares them, up to 50 and 16 KB. '
  'Fields that are null are left out. Null if there are none.';
comment on column workgate.tasks.external_id is
  'The id of the task in the tool that it comes from. Unique within the project, and contains no comma.';
comment on column workgate.tasks.external_url is 'The address of the task in the tool that it comes from.';
comment on column workgate.tasks.version is
  'Increases by 1 with each change to the row, and once per transaction with changes to its tags and watchers. '
  'Maintained by triggers.';

create function workgate.assignees_of(assignee_id uuid, assignee_ids uuid[]) returns uuid[]
language sql immutable parallel safe
return coalesce(assignee_ids, array_remove(array[assignee_id], null));
comment on function workgate.assignees_of(uuid, uuid[]) is 'The ids of all assignees of a task, from its two columns.';

create table workgate.task_counters (
  project_id   uuid not null,
  last_number  bigint not null,
  constraint task_counters_pkey primary key (project_id),
  constraint task_counters_project foreign key (project_id) references workgate.projects on delete cascade
);
comment on table workgate.task_counters is
  'The last task number used in each project. Maintained by triggers: do not load rows into it.';

create table workgate.tags (
  project_id  uuid not null,
  id          uuid not null default workgate.new_id(),
  name        text not null,
  color       text,
  constraint tags_pkey primary key (project_id, id),
  constraint tags_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint tags_name_length check (char_length(name) between 1 and 100),
  constraint tags_name_without_comma check (name ~ '\S' and name !~ ','),
  constraint tags_color_form check (color ~ '^#[0-9a-f]{6}$')
);
comment on table workgate.tags is
  'The tags of each project. Names are unique within the project, ignoring case, and contain no comma.';

create table workgate.task_tags (
  project_id  uuid not null,
  task_id     uuid not null,
  tag_id      uuid not null,
  constraint task_tags_pkey primary key (project_id, task_id, tag_id),
  constraint task_tags_task foreign key (project_id, task_id) references workgate.tasks on delete cascade,
  constraint task_tags_tag foreign key (project_id, tag_id) references workgate.tags on delete cascade
);
comment on table workgate.task_tags is 'The tags of each task.';

create table workgate.task_watchers (
  project_id  uuid not null,
  task_id     uuid not null,
  user_id     uuid not null,
  constraint task_watchers_pkey primary key (project_id, task_id, user_id),
  constraint task_watchers_task foreign key (project_id, task_id) references workgate.tasks on delete cascade,
  constraint task_watchers_member foreign key (project_id, user_id) references workgate.project_members on delete cascade
);
comment on table workgate.task_watchers is 'The project members who watch a task.';

create table workgate.comments (
  project_id  uuid not null,
  id          uuid not null default workgate.new_id(),
  task_id     uuid not null,
  author_id   uuid,
  body        text not null,
  body_format  text,
  created_at  workgate.moment not null default workgate.present(),
  updated_at  workgate.moment not null default workgate.present(),
  xid         xid8 not null default pg_current_xact_id(),
  constraint comments_pkey primary key (project_id, id),
  constraint comments_of_task unique (project_id, task_id, id),
  constraint comments_task foreign key (project_id, task_id) references workgate.tasks on delete cascade,
  constraint comments_author foreign key (author_id) references workgate.users,
  constraint comments_body_length check (char_length(body) between 1 and 100000),
  constraint comments_body_format check (body_format ~ '^(text|markdown|html|jira)$')
);
comment on table workgate.comments is 'Comments on tasks.';
comment on column workgate.comments.body_format is 'As description_format of tasks.';
comment on column workgate.comments.updated_at is
  'Set whenever the comment or its files change. Files inserted in the same transaction as the comment do not change it.';
comment on column workgate.comments.xid is 'The transaction that inserted the row. Omit it.';

create table workgate.files (
  project_id  uuid not null,
  id          uuid not null default workgate.new_id(),
  task_id     uuid not null,
  comment_id  uuid,
  creator_id  uuid,
  name        text not null,
  mime_type   text not null,
  size_bytes  bigint,
  sha256      text,
  url         text not null,
  created_at  workgate.moment not null default workgate.present(),
  updated_at  workgate.moment not null default workgate.present(),
  constraint files_pkey primary key (project_id, id),
  constraint files_task foreign key (project_id, task_id) references workgate.tasks on delete cascade,
  constraint files_comment_of_task foreign key (project_id, task_id, comment_id)
    references workgate.comments (project_id, task_id, id) on delete cascade,
  constraint files_creator foreign key (creator_id) references workgate.users,
  constraint files_name_length check (char_length(name) between 1 and 500),
  constraint files_mime_type_form check (char_length(mime_type) <= 255 and mime_type ~ '^[^\s/]+/[^\s/]+$'),
  constraint files_url_form check (char_length(url) <= 2000 and url ~ '^https?://\S+$'),
  constraint files_size_is_exact check (size_bytes between 0 and 9007199254740991),
  constraint files_of_comment_has_size check (comment_id is null or size_bytes is not null),
  constraint files_sha256_form check (sha256 ~ '^[0-9a-f]{64}$')
);
comment on table workgate.files is
  'Metadata of files attached to tasks and to their comments. The file itself is stored elsewhere, at url.';
comment on column workgate.files.task_id is
  'If comment_id is given, this is the task of the comment, and can be omitted. To move a comment that has files to another task, '
  'update both in one statement.';
comment on column workgate.files.comment_id is 'Null: the file is attached to the task itself.';
comment on column workgate.files.size_bytes is
  'Null if it is not known, as for files of a tool that does not export it. Required for files of comments.';
comment on column workgate.files.url is 'At most 2,000 characters, with http:// or https://.';
comment on column workgate.files.sha256 is 'The digest of the file. Null if none is known, as for files of a tool that does not export it.';

create table workgate.time_entries (
  project_id        uuid not null,
  id                uuid not null default workgate.new_id(),
  task_id           uuid,
  user_id           uuid not null,
  description       text,
  spent_on          workgate.day not null,
  started_at        workgate.moment not null,
  ended_at          workgate.moment,
  duration_seconds  bigint generated always as (floor(extract(epoch from (ended_at - started_at)))::bigint) stored,
  timed             boolean not null default true,
  billable          boolean not null default false,
  created_at        workgate.moment not null default workgate.present(),
  updated_at        workgate.moment not null default workgate.present(),
  constraint time_entries_pkey primary key (project_id, id),
  constraint time_entries_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint time_entries_task foreign key (project_id, task_id) references workgate.tasks on delete cascade,
  constraint time_entries_user foreign key (user_id) references workgate.users,
  constraint time_entries_end_not_before_start check (ended_at >= started_at),
  constraint time_entries_untimed_is_a_duration check (
    timed or (ended_at is not null and started_at = spent_on::timestamp at time zone 'UTC')),
  constraint time_entries_description_length check (char_length(description) <= 20000)
);
comment on table workgate.time_entries is 'Time spent on a project. An entry without ended_at is a running timer.';
comment on column workgate.time_entries.task_id is 'Null for time that belongs to no task.';
comment on column workgate.time_entries.spent_on is 'The day that the time is booked on, in the time zone of the user.';
comment on column workgate.time_entries.duration_seconds is
  'Generated: whole seconds from start to end. Null while the timer runs.';
comment on column workgate.time_entries.timed is
  'False if only the day and the duration are known: started_at is then the beginning of spent_on in UTC.';

create table workgate.documents (
  project_id  uuid not null,
  id          uuid not null default workgate.new_id(),
  path        text collate "C" not null,
  title       text not null,
  task_id     uuid,
  author_id   uuid,
  markdown    text not null,
  size_bytes  integer generated always as (octet_length(markdown)) stored,
  word_count  integer generated always as (workgate.word_count(markdown)) stored,
  headings    jsonb generated always as (workgate.outline(markdown)) stored,
  sha256      text generated always as (workgate.sha256_hex(markdown)) stored,
  revision    integer not null default 1,
  created_at  workgate.moment not null default workgate.present(),
  updated_at  workgate.moment not null default workgate.present(),
  constraint documents_pkey primary key (project_id, id),
  constraint documents_project foreign key (project_id) references workgate.projects on delete cascade,
  constraint documents_path_taken unique (project_id, path),
  constraint documents_path_form check (path ~ '^[^/\s]' and char_length(path) <= 1000),
  constraint documents_title_length check (char_length(title) between 1 and 500),
  constraint documents_markdown_size check (octet_length(markdown) <= 100000000),
  constraint documents_task foreign key (project_id, task_id) references workgate.tasks on delete cascade,
  constraint documents_author foreign key (author_id) references workgate.users
);
comment on table workgate.documents is
  'Markdown documents. The API returns values computed from the text (size, word count, headings, SHA-256), never the text.';
comment on column workgate.documents.path is
  'Unique within the project, compared by code point (collation C). To combine it with other text in a query, write '
  'path collate "default".';
comment on column workgate.documents.revision is 'Increases by 1 with each change to the text. Maintained by a trigger.';

create table workgate.task_history (
  project_id  uuid not null,
  task_id     uuid not null,
  version     bigint not null,
  at          workgate.moment not null default workgate.present(),
  channel     text not null,
  actor       jsonb not null,
  changes     jsonb not null,
  task_type   text,
  xid         xid8 not null default pg_current_xact_id(),
  session_role  text not null default session_user,
  constraint task_history_pkey primary key (project_id, task_id, version),
  constraint task_history_task foreign key (project_id, task_id) references workgate.tasks on delete cascade
);
comment on table workgate.task_history is
  'Every change to every task, whether made by the API or by SQL. Written by triggers: do not load rows into it.';
comment on column workgate.task_history.channel is
  'api, import and others of the service, sql, or a channel of a role that may execute write_as().';
comment on column workgate.task_history.actor is
  'The writer: the API key as {keyId, name}, the database role as {role}, or the name that a role has given that may '
  'execute write_as(), as {name, role}. What other roles say about themselves is {role, claimed: {channel, actor}}.';
comment on column workgate.task_history.session_role is 'The role of the session, which no setting can change.';
comment on column workgate.task_history.changes is '{field: {from, to}} with the field names of the API.';
comment on column workgate.task_history.task_type is
  'The type of a task that was reopened, as it was then: progress reports leave out types. Null for other changes.';
comment on column workgate.task_history.xid is
  'The transaction that inserted the row. A transaction has one entry for all its changes to tags and watchers.';

create table workgate.idempotency_records (
  project_id    uuid not null,
  key_id        text not null,
  route         text not null,
  idempotency_key  text not null,
  request_hash  bytea not null,
  status        smallint not null,
  body          text not null,
  created_at    workgate.moment not null default workgate.present(),
  constraint idempotency_records_pkey primary key (project_id, key_id, route, idempotency_key),
  constraint idempotency_records_key_length check (char_length(idempotency_key) between 1 and 255)
);
comment on table workgate.idempotency_records is
  'Responses to writes with an Idempotency-Key, kept for 24 hours. For created projects, project_id is a digest of the key.';
comment on column workgate.idempotency_records.key_id is
  'The first key in the chain of rotations of the API key (api_keys.first_id), so that its successors replay the response.';

create function workgate.is_member(candidate uuid, projects uuid[]) returns boolean
language sql stable
as $$ select exists (select from workgate.project_members m where m.project_id = any (projects) and m.user_id = candidate) $$;
comment on function workgate.is_member(uuid, uuid[]) is 'Returns whether a user is a member of one of some projects.';
