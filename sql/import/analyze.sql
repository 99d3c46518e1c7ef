-- Statistics of the tables that an import compares and writes. Without them, PostgreSQL may look rows up through an index
-- that finds all rows of the project each time.
analyze
  workgate.users, workgate.project_members, workgate.stages, workgate.tasks, workgate.task_history, workgate.tags,
  workgate.task_tags, workgate.task_watchers, workgate.comments, workgate.files, workgate.time_entries,
  workgate.documents, workgate.tallies, workgate.tally_deltas;
