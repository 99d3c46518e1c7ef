-- The watcher of task t, one of these people
(
  select w.user_id
  from workgate.task_watchers w
  where w.project_id = :projectId
    and w.task_id = t.id
    and w.user_id = any ({{people}})
)
