-- GET /projects/:projectId/teams
-- The teams of one project. memberCount counts only members of the project, the users that its users endpoint returns,
-- so that a key learns nothing about people outside its projects.
select
  t.id,
  {{sortKey}} as sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{teamFields}},
        (
          select count(*)
          from workgate.team_members tm
          join workgate.project_members m on m.user_id = tm.user_id
          where tm.team_id = t.id
            and m.project_id = :projectId::uuid
        ) as "memberCount"
    ) f
  )::text as item
from workgate.project_teams pt
join workgate.teams t on t.id = pt.team_id
where pt.project_id = :projectId
  {{#userId}}and exists (
    select
    from workgate.team_members tm
    join workgate.project_members m on m.user_id = tm.user_id
    where m.project_id = :projectId
      and tm.team_id = pt.team_id
      and tm.user_id = any (:userId::uuid[])){{/userId}}
  {{#q}}and workgate.terms(t.name || ' ' || coalesce(t.description, '')) @@ workgate.words_of(:q::text){{/q}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
