-- GET /projects, GET /projects/:projectId
-- Scans projects_by_created_at, projects_by_name or projects_by_updated_at. A search uses projects_by_terms.
select
  p.id,
  {{position}} as position,
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
  and {{keyset}}
order by {{order}}
limit :limit::integer + 1
