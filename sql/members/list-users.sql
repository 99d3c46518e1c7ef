-- GET /projects/:projectId/users
-- The members of one project with their directory entries. Names are in another table, so no index can provide the
-- order: the members of the project are sorted.
select
  u.id,
  {{position}} as position,
  (
    select row_to_json(f)
    from (
      select
        u.id, u.name, u.email, m.role, u.active, workgate.iso(m.joined_at) as "joinedAt",
        workgate.iso(greatest(u.updated_at, m.updated_at)) as "updatedAt"
    ) f
  )::text as item
from workgate.project_members m
join workgate.users u on u.id = m.user_id
where m.project_id = :projectId::uuid
  and (:role::text[] is null or m.role = any (:role))
  and (:active::boolean is null or u.active = :active)
  and (:teamId::uuid[] is null or exists (
    select
    from workgate.project_teams pt
    join workgate.team_members tm on tm.team_id = pt.team_id
    where pt.project_id = :projectId
      and pt.team_id = any (:teamId)
      and tm.user_id = m.user_id))
  and (:q::text is null or workgate.terms(u.name || ' ' || u.email) @@ workgate.words_of(:q))
  and {{keyset}}
order by {{order}}
limit :limit::integer + 1
