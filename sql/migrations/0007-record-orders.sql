-- The orders, filters and searches of comments, time entries and documents. Every index is paid for with each row that
-- is written, so each says whom it serves; what walks rarely walks an index of another order.

-- A search has two ways: its index, and the order of the list until a page is full, which is the better one for words
-- that many rows have. The planner guesses which, and may guess wrong: then the pattern refuses a row for a thirtieth of
-- what it costs to make its terms. Four letters: of a longer one the planner believes that next to no row has it.
create function workgate.pattern_of(q text) returns text
language sql immutable strict parallel safe
return (
  select '%' || left(word, 4) || '%'
  from unnest(tsvector_to_array(workgate.terms(q))) as word
  order by char_length(word) desc
  limit 1);
comment on function workgate.pattern_of(text) is
  'What lower(text) is like wherever a search finds q in the text. No word holds a sign that like knows.';
alter function workgate.terms_in(uuid, text) cost 4000;

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

-- Paths are compared by code point in the API. With the column of that mind, the index that keeps them unique gives
-- their order and finds a prefix, for SQL as well. A column that a trigger looks at is not altered under it.
drop trigger documents_next_revision on workgate.documents;
alter table workgate.documents alter column path type text collate "C";
create trigger documents_next_revision before update on workgate.documents
  for each row when (
    (old.id, old.path, old.title, old.task_id, old.author_id, old.markdown, old.created_at)
    is distinct from
    (new.id, new.path, new.title, new.task_id, new.author_id, new.markdown, new.created_at)
  ) execute function workgate.next_revision();
comment on column workgate.documents.path is
  'Unique in the project, and compared by code point. Say path collate "default" where it meets other text.';

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
