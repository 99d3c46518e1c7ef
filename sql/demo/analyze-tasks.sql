-- workgate demo: updates the statistics of the tables that the first connection writes.
analyze
  workgate.tasks, workgate.task_counters, workgate.task_history, workgate.tags, workgate.task_tags,
  workgate.task_watchers;
