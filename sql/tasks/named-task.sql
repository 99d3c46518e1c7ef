-- The id of the task that named.name means: an id, a number or a reference. Null if there is none. A reference means a
-- task only if its key is that of the project.
case
  when length(named.name) = 36 then named.name::uuid
  -- A subquery, because a join could read all tasks of the project.
  else (
    select n.id
    from workgate.tasks n
    where n.project_id = {{project}}
      and n.number = substring(named.name from '^(?:[A-Z][A-Z0-9]*-)?([0-9]+)$')::bigint
      and coalesce(substring(named.name from '^([A-Z][A-Z0-9]*)-') = (select key from workgate.projects where id = {{project}}), true))
end
