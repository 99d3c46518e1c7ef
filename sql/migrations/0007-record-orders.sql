-- The orders, filters and searches of comments, time entries and documents. Every index is paid for with each row that
-- is written, so each says whom it serves; what walks rarely walks an index of another order.

-- comments?sort=updatedAt, with and without updatedAfter and updatedBefore: how a client keeps a copy up to date.
create index comments_by_updated_at on workgate.comments (project_id, updated_at, id);
-- comments?authorId=, in the default order.
create index comments_by_author on workgate.comments (project_id, author_id, created_at, id);
-- comments?q=
create index comments_by_terms on workgate.comments using gin (workgate.terms_in(project_id, body));

-- time-entries?sort=updatedAt, as above.
create index time_entries_by_updated_at on workgate.time_entries (project_id, updated_at, id);
-- time-entries?sort=spentOn, with and without spentAfter and spentBefore: the sheets of a week or a month.
create index time_entries_by_spent_on on workgate.time_entries (project_id, spent_on, id);
-- time-entries?running=true: a few rows of a big table, and so next to nothing to keep.
create index time_entries_running on workgate.time_entries (project_id, started_at, id) where ended_at is null;

-- A path is unique, and its index walks by code point: documents_path_taken serves its order and finds a prefix.
-- documents?taskId= and ?authorId=, in the default order, which is that of paths. No id follows a path: it is unique.
drop index workgate.documents_by_task;
create index documents_by_task on workgate.documents (project_id, task_id, path);
create index documents_by_author on workgate.documents (project_id, author_id, path);
-- documents?sort=updatedAt, as above, and ?sort=title.
create index documents_by_updated_at on workgate.documents (project_id, updated_at, id);
create index documents_by_title on workgate.documents (project_id, (lower(title) collate "C"), id);
-- documents?q=: title and path, never the text.
create index documents_by_terms on workgate.documents
  using gin (workgate.terms_in(project_id, title || ' ' || (path collate "default")));
