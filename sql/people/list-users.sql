-- GET /projects/:projectId/users
-- The members of one project with their directory entries. Names are in another table, so no index can provide the
-- order: the members of the project are sorted.
select
  u.id,
  {{sortKey}} as sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{userFields}}
    ) f
  )::text as item
from workgate.project_members m
join workgate.users u on u.id = m.user_id
where m.project_id = :projectId::uuid
  {{#role}}and m.role = any (:role::text[]){{/role}}
  {{#active}}and u.active = :active::boolean{{/active}}
  {{#teamId}}and exists (
    select
    from workgate.project_teams pt
    join workgate.team_members tm on tm.team_id = pt.team_id
    where pt.project_id = :projectId
      and pt.team_id = any (:teamId::uuid[])
      and tm.user_id = m.user_id){{/teamId}}
  {{#q}}and workgate.terms(u.name || ' ' || coalesce(u.email, '')) @@ workgate.words_of(:q::text){{/q}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
