-- What the list of tasks walks. Of the 125 µs that a row takes to be loaded, each costs about 2, tasks_by_terms 40.

-- One for each sort. Ties go by id; (project_id, number) has none, and its constraint brings its index.
create index tasks_by_updated_at on workgate.tasks (project_id, updated_at, id);
create index tasks_by_priority on workgate.tasks (project_id, priority, id);
-- Nulls come last from both ends: what stands for them is last in one direction and first in the other.
create index tasks_by_due_date on workgate.tasks (project_id, (coalesce(due_date, 'infinity')), id);
create index tasks_by_due_date_backward on workgate.tasks (project_id, (coalesce(due_date, '-infinity')), id);
create index tasks_by_completed_at on workgate.tasks (project_id, (coalesce(completed_at, 'infinity')), id);
create index tasks_by_completed_at_backward on workgate.tasks (project_id, (coalesce(completed_at, '-infinity')), id);

-- One for each filter in the default sort, beside those for board and stage.
create index tasks_by_state on workgate.tasks (project_id, state, created_at, id);
create index tasks_of_priority on workgate.tasks (project_id, priority, created_at, id);
create index tasks_by_creator on workgate.tasks (project_id, creator_id, created_at, id) where creator_id is not null;
-- PostgreSQL knows of "= x" that it keeps the order behind it, of "is null" it does not: the rows without have an index
-- of their own, and each row is in one of the two.
drop index workgate.tasks_by_parent;
drop index workgate.tasks_by_assignee;
create index tasks_by_parent on workgate.tasks (project_id, parent_id, created_at, id) where parent_id is not null;
create index tasks_without_parent on workgate.tasks (project_id, created_at, id) where parent_id is null;
create index tasks_by_assignee on workgate.tasks (project_id, assignee_id, created_at, id) where assignee_id is not null;
create index tasks_without_assignee on workgate.tasks (project_id, created_at, id) where assignee_id is null;

-- What is due next, and what is overdue: few of all tasks, behind years of completed ones.
create index tasks_open_by_due_date on workgate.tasks (project_id, (coalesce(due_date, 'infinity')), id)
  where state = 'open';

create index tasks_by_terms on workgate.tasks
  using gin (workgate.terms_in(project_id, title || ' ' || coalesce(description, '')));
