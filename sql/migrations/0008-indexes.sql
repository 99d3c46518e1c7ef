-- Indexes for lists: one for each sort order, one for each filter in the default order, and those for the foreign keys
-- that deletions check. Every index slows down every write, so a comment names the list that needs it.
-- Nullable columns have one index per direction: coalesce() keeps nulls last in both.

-- Projects
create index projects_by_created_at on workgate.projects (created_at, id);
create index projects_by_updated_at on workgate.projects (updated_at, id);
create index projects_by_name on workgate.projects ((lower(name) collate "C"), id);
create index project_members_by_joined_at on workgate.project_members (project_id, joined_at, user_id);

-- Boards
create index boards_by_position on workgate.boards (project_id, position, id);
create index boards_by_name on workgate.boards (project_id, (lower(name) collate "C"), id);
create index stages_by_position on workgate.stages (project_id, position, id);

-- Tasks, sort orders. Each index costs about 2 µs of the 125 µs that loading a task takes. The unique constraint on
-- (project_id, number) serves the sort by number.
create index tasks_by_created_at on workgate.tasks (project_id, created_at, id); -- the default order
create index tasks_by_updated_at on workgate.tasks (project_id, updated_at, id); -- sort=updatedAt, by which copies are kept
create index tasks_by_priority on workgate.tasks (project_id, priority, id); -- sort=priority
create index tasks_by_due_date on workgate.tasks (project_id, (coalesce(due_date, 'infinity')), id); -- sort=dueDate
create index tasks_by_due_date_backward on workgate.tasks (project_id, (coalesce(due_date, '-infinity')), id); -- sort=-dueDate
create index tasks_by_completed_at on workgate.tasks (project_id, (coalesce(completed_at, 'infinity')), id); -- sort=completedAt
create index tasks_by_completed_at_backward on workgate.tasks (project_id, (coalesce(completed_at, '-infinity')), id); -- sort=-completedAt

-- Tasks, filters in the default order
create index tasks_by_board on workgate.tasks (project_id, board_id, created_at, id); -- boardId=, deleting a board
create index tasks_by_stage on workgate.tasks (project_id, stage_id, created_at, id); -- stageId=, deleting a stage
create index tasks_by_state on workgate.tasks (project_id, state, created_at, id); -- state=
create index tasks_of_priority on workgate.tasks (project_id, priority, created_at, id); -- priority=
create index tasks_by_creator on workgate.tasks (project_id, creator_id, created_at, id) where creator_id is not null; -- creatorId=, deleting a user
create index tasks_by_type on workgate.tasks (project_id, type, created_at, id) where type is not null; -- type=
-- PostgreSQL uses the index order of later columns after "= x", but not after "is null". Rows without a parent or an
-- assignee therefore have a separate index; every row is in one of the two.
create index tasks_by_parent on workgate.tasks (project_id, parent_id, created_at, id) where parent_id is not null; -- parentId=, subtasks, deleting a task
create index tasks_without_parent on workgate.tasks (project_id, created_at, id) where parent_id is null; -- parentId=none
create index tasks_by_assignee on workgate.tasks (project_id, assignee_id, created_at, id) where assignee_id is not null; -- assigneeId=, removing a member
create index tasks_of_several_assignees on workgate.tasks (project_id, created_at, id) where assignee_ids is not null; -- assigneeId=, beside tasks_by_assignee
create index tasks_without_assignee on workgate.tasks (project_id, created_at, id) where assignee_id is null; -- assigneeId=none

-- Open tasks that are overdue or due next: few rows among years of completed tasks.
create index tasks_open_by_due_date on workgate.tasks (project_id, (coalesce(due_date, 'infinity')), id) where state = 'open';

create unique index tags_name_taken on workgate.tags (project_id, lower(name));
create index task_tags_by_tag on workgate.task_tags (project_id, tag_id);
create index task_watchers_by_user on workgate.task_watchers (user_id, project_id);

-- Comments. Clients keep a copy up to date with ?sort=updatedAt and updatedAfter, here and in the lists below.
create index comments_by_created_at on workgate.comments (project_id, created_at, id);
create index comments_by_updated_at on workgate.comments (project_id, updated_at, id);
create index comments_by_task on workgate.comments (project_id, task_id, created_at, id);
create index comments_by_author on workgate.comments (project_id, author_id, created_at, id);

-- Files. Comments with their files, and commentId=, read files_by_comment.
create index files_by_created_at on workgate.files (project_id, created_at, id);
create index files_by_updated_at on workgate.files (project_id, updated_at, id);
create index files_by_task on workgate.files (project_id, task_id, created_at, id);
create index files_by_comment on workgate.files (project_id, comment_id, created_at, id) where comment_id is not null;
create index files_without_comment on workgate.files (project_id, created_at, id) where comment_id is null; -- commentId=none
create index files_by_creator on workgate.files (project_id, creator_id, created_at, id) where creator_id is not null;

-- Time entries. ?sort=spentOn with spentAfter and spentBefore returns the timesheet of a week or a month. Time reports by
-- task add up all entries of these days, so they read only that index.
create index time_entries_by_started_at on workgate.time_entries (project_id, started_at, id);
create index time_entries_by_updated_at on workgate.time_entries (project_id, updated_at, id);
create index time_entries_by_spent_on on workgate.time_entries (project_id, spent_on, id)
  include (task_id, user_id, duration_seconds, billable);
-- The effort of a task is read only from the index. As with parents of tasks, every row is in one of these two.
create index time_entries_by_task on workgate.time_entries (project_id, task_id, started_at, id) include (duration_seconds) where task_id is not null;
create index time_entries_without_task on workgate.time_entries (project_id, started_at, id) where task_id is null; -- taskId=none
create index time_entries_by_user on workgate.time_entries (project_id, user_id, started_at, id);
-- ?running=true matches a few rows of a large table.
create index time_entries_running on workgate.time_entries (project_id, started_at, id) where ended_at is null;

-- Documents. The index of the constraint documents_path_taken serves the default order, by path, and searches for a
-- prefix. Paths are unique, so no index needs an id after the path.
create index documents_by_task on workgate.documents (project_id, task_id, path);
create index documents_by_author on workgate.documents (project_id, author_id, path);
create index documents_by_updated_at on workgate.documents (project_id, updated_at, id);
create index documents_by_title on workgate.documents (project_id, (lower(title) collate "C"), id);

-- Expired records are deleted by age, in all projects at once.
create index idempotency_records_by_age on workgate.idempotency_records (created_at);

-- A generic plan, which the service uses for one of these filters, should use the index of the filter even where all rows
-- have the same value today: a request for another value would read all of them. So the planner is told to expect several
-- values; it knows better which plan is right for a value when it plans for that value.
alter table workgate.tasks
  alter column board_id set (n_distinct = 20),
  alter column stage_id set (n_distinct = 20),
  alter column state set (n_distinct = 3),
  alter column priority set (n_distinct = 5),
  alter column creator_id set (n_distinct = 20),
  alter column parent_id set (n_distinct = 20),
  alter column assignee_id set (n_distinct = 20),
  alter column type set (n_distinct = 20);
alter table workgate.comments
  alter column task_id set (n_distinct = -0.1),
  alter column author_id set (n_distinct = 20);
alter table workgate.files
  alter column task_id set (n_distinct = -0.1),
  alter column comment_id set (n_distinct = -0.1),
  alter column creator_id set (n_distinct = 20);
alter table workgate.time_entries
  alter column task_id set (n_distinct = -0.1),
  alter column user_id set (n_distinct = 20);
alter table workgate.documents
  alter column task_id set (n_distinct = -0.1),
  alter column author_id set (n_distinct = 20);
