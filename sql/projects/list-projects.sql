-- GET /projects, GET /projects/:projectId
-- Scans projects_by_created_at, projects_by_name or projects_by_updated_at. A search uses projects_by_terms.
select
  p.id,
  {{sortKey}} as sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{projectFields}}
    ) f
  )::text as item
from workgate.projects p
where {{#allProjects}}true{{/allProjects}}{{^allProjects}}p.id = any (:projectIds::uuid[]){{/allProjects}}
  {{#id}}and p.id = :id::uuid{{/id}}
  {{#status}}and p.status = any (:status::text[]){{/status}}
  {{#q}}and workgate.terms(p.key || ' ' || p.name || ' ' || coalesce(p.description, '')) @@ workgate.words_of(:q::text){{/q}}
  {{#createdAfter}}and p.created_at >= :createdAfter::timestamptz{{/createdAfter}}
  {{#createdBefore}}and p.created_at < :createdBefore::timestamptz{{/createdBefore}}
  {{#updatedAfter}}and p.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
  {{#updatedBefore}}and p.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
