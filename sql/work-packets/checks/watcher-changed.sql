-- True if entry e created the task, or added one of these people to its watchers
(
  e.version = 1
  or e.changes -> 'watcherIds' -> 'to' ?| ({{people}})::text[] and not e.changes -> 'watcherIds' -> 'from' ?| ({{people}})::text[]
)
