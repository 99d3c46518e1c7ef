-- GET /projects, GET /projects/:projectId
-- Walks projects_by_created_at, projects_by_name or projects_by_updated_at; a search goes by projects_by_terms.
select
  p.id,
  case ltrim(:sort::text, '-')
    when 'createdAt' then workgate.iso(p.created_at)
    when 'name' then lower(p.name)
    when 'updatedAt' then workgate.iso(p.updated_at)
  end as position,
  (
    select row_to_json(f)
    from (
      select
        {{projectFields}}
    ) f
  )::text as item
from workgate.projects p
where (:allProjects::boolean or p.id = any (:projectIds::uuid[]))
  and (:id::uuid is null or p.id = :id)
  and (:status::text[] is null or p.status = any (:status))
  and (:q::text is null
    or workgate.terms(p.key || ' ' || p.name || ' ' || coalesce(p.description, '')) @@ workgate.words_of(:q))
  and (:createdAfter::timestamptz is null or p.created_at >= :createdAfter)
  and (:createdBefore::timestamptz is null or p.created_at < :createdBefore)
  and (:updatedAfter::timestamptz is null or p.updated_at >= :updatedAfter)
  and (:updatedBefore::timestamptz is null or p.updated_at < :updatedBefore)
  and case when :afterId::uuid is null then true else
    case :sort::text
      when 'createdAt' then (p.created_at, p.id) > (:after::text::timestamptz, :afterId)
      when '-createdAt' then (p.created_at, p.id) < (:after::text::timestamptz, :afterId)
      when 'name' then (lower(p.name) collate "C", p.id) > (:after::text, :afterId)
      when '-name' then (lower(p.name) collate "C", p.id) < (:after::text, :afterId)
      when 'updatedAt' then (p.updated_at, p.id) > (:after::text::timestamptz, :afterId)
      when '-updatedAt' then (p.updated_at, p.id) < (:after::text::timestamptz, :afterId)
    end
  end
order by
  case when :sort = 'createdAt' then p.created_at end,
  case when :sort = '-createdAt' then p.created_at end desc,
  case when :sort = 'name' then lower(p.name) collate "C" end,
  case when :sort = '-name' then lower(p.name) collate "C" end desc,
  case when :sort = 'updatedAt' then p.updated_at end,
  case when :sort = '-updatedAt' then p.updated_at end desc,
  case when :sort like '-%' then p.id end desc,
  p.id
limit :limit::integer + 1
