-- GET /projects/:projectId/time-entries, GET /projects/:projectId/time-entries/:timeEntryId, GET /time-entries
select
  {{rowId}} as id,
  t.sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{timeEntryFields}}
    ) f
  )::text as item
from (
  {{matching}}
) t
