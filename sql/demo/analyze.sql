-- workgate demo: compacts tallies and updates statistics, so that the first request gets good plans.
do $$
begin
  perform workgate.recount(id) from workgate.projects;
end
$$;

analyze
  workgate.users, workgate.teams, workgate.team_members, workgate.projects, workgate.project_members,
  workgate.project_teams, workgate.boards, workgate.stages, workgate.tasks, workgate.task_counters, workgate.task_history,
  workgate.tags, workgate.task_tags, workgate.task_watchers, workgate.comments, workgate.comment_files,
  workgate.time_entries, workgate.documents, workgate.tallies, workgate.tally_deltas, workgate.task_efforts,
  workgate.effort_marks;
