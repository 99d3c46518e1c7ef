-- The rows of several projects, in order.
-- First reads a few rows of each project. If these fill a page, the page ends at the last of them or before. Only projects
-- that have a row up to there have rows on the page: the same few rows, unless all of them are up to there. The cost
-- grows with the number of projects and the length of the page, not with the number of rows.
{{^firstRows}}
{{rowsOfOneProject}}
{{/firstRows}}
{{#firstRows}}
with first_rows as materialized (
  select t.project_id, t.sort_key
  from {{#projectKeys}}(
    select id
    from workgate.projects_here
    where (id = any (:projectIds::uuid[]) or key = any (:projectKeys::text[]))
      {{^allProjects}}and id = any (:reach::uuid[]){{/allProjects}}
  ) project{{/projectKeys}}{{^projectKeys}}{{^allProjects}}unnest(:projectIds::uuid[]) project (id){{/allProjects}}{{#allProjects}}workgate.projects_here project{{/allProjects}}{{/projectKeys}}
  cross join lateral (
    {{firstRowsOfProject}}
    limit :firstRows::integer
  ) t
  order by {{order}}
  limit :limit::integer + 1
)
select t.*
from (
  select f.project_id as id, e.page_end, case when count(*) < :firstRows then count(*) else :limit + 1 end as max_rows
  from first_rows f
  cross join (select {{pageEnd}} as page_end from first_rows) e
  group by f.project_id, e.page_end
) project
cross join lateral (
  {{rowsOfProject}}
  limit project.max_rows
) t
order by {{order}}
limit :limit + 1
{{/firstRows}}
