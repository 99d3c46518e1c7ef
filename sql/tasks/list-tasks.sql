-- GET /projects/:projectId/tasks, GET /projects/:projectId/tasks/:taskId, GET /tasks
-- Builds no items after the one that ends the page by its bytes: page.sql would drop them.
select
  {{rowId}} as id,
  t.sort_key,
  case when coalesce(sum(octet_length(t.description)) over before, 0) <= :maxBytes::integer then
    {{taskJson}}
    {{#includeTags}}|| ',"tags":' || (
      {{taskTags}}
    ){{/includeTags}}
    {{#includeWatchers}}|| ',"watchers":' || (
      {{taskWatchers}}
    ){{/includeWatchers}}
    || '}'
  end as item
from (
  {{matching}}
) t
window before as (rows between unbounded preceding and 1 preceding)
