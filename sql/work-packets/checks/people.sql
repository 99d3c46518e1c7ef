-- The ids of the users with this id, e-mail or name. By e-mail and name only members of the project.
case
  when {{person}} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then array[{{person}}::uuid]
  else array(
    select u.id
    from workgate.project_members m
    join workgate.users u on u.id = m.user_id
    where m.project_id = :projectId
      and lower({{person}}) in (lower(u.email), lower(u.name))
  )
end
