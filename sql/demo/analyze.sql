-- workgate demo: updates statistics, so that the first request gets good plans.
analyze
  workgate.users, workgate.teams, workgate.team_members, workgate.projects, workgate.project_members,
  workgate.project_teams, workgate.boards, workgate.stages, workgate.comments, workgate.files,
  workgate.time_entries, workgate.documents, workgate.tallies, workgate.tally_deltas, workgate.task_efforts,
  workgate.effort_marks;
