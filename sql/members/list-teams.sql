-- GET /projects/:projectId/teams
-- The teams of one project. memberCount counts the members that the project's users endpoint shows for the team:
-- a key learns nothing about people outside of its projects.
select
  t.id,
  case ltrim(:sort::text, '-')
    when 'name' then lower(t.name)
    when 'createdAt' then workgate.iso(t.created_at)
  end as position,
  (
    select row_to_json(f)
    from (
      select
        t.id, t.name, t.description,
        (
          select count(*)
          from workgate.team_members tm
          join workgate.project_members m on m.user_id = tm.user_id
          where tm.team_id = t.id
            and m.project_id = :projectId::uuid
        ) as "memberCount",
        workgate.iso(t.created_at) as "createdAt", workgate.iso(t.updated_at) as "updatedAt"
    ) f
  )::text as item
from workgate.project_teams pt
join workgate.teams t on t.id = pt.team_id
where pt.project_id = :projectId
  and (:userId::uuid[] is null or exists (
    select
    from workgate.team_members tm
    join workgate.project_members m on m.user_id = tm.user_id
    where m.project_id = :projectId
      and tm.team_id = pt.team_id
      and tm.user_id = any (:userId)))
  and (:q::text is null or workgate.terms(t.name || ' ' || coalesce(t.description, '')) @@ workgate.words_of(:q))
  and case when :afterId::uuid is null then true else
    case :sort::text
      when 'name' then (lower(t.name) collate "C", pt.team_id) > (:after::text, :afterId)
      when '-name' then (lower(t.name) collate "C", pt.team_id) < (:after::text, :afterId)
      when 'createdAt' then (t.created_at, pt.team_id) > (:after::text::timestamptz, :afterId)
      when '-createdAt' then (t.created_at, pt.team_id) < (:after::text::timestamptz, :afterId)
    end
  end
order by
  case when :sort = 'name' then lower(t.name) collate "C" end,
  case when :sort = '-name' then lower(t.name) collate "C" end desc,
  case when :sort = 'createdAt' then t.created_at end,
  case when :sort = '-createdAt' then t.created_at end desc,
  case when :sort like '-%' then pt.team_id end desc,
  pt.team_id
limit :limit::integer + 1
