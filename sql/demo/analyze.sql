-- workgate demo: so that the first request finds good plans.
analyze
  workgate.users, workgate.teams, workgate.team_members, workgate.projects, workgate.project_members,
  workgate.project_teams, workgate.boards, workgate.stages, workgate.tasks, workgate.task_counters, workgate.task_history,
  workgate.tags, workgate.task_tags, workgate.task_watchers, workgate.comments, workgate.comment_files,
  workgate.time_entries, workgate.documents;
