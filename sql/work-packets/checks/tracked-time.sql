-- The tracked time of task t in time entries that have ended, and the change that made it as high as expected
select
  coalesce(sum(x.duration_seconds), 0)::bigint as actual,
  (array_agg(x.change order by x.n) filter (where x.total >= :minTimeSeconds::bigint))[1] as change
from (
  select
    o.duration_seconds,
    sum(o.duration_seconds) over by_change as total,
    row_number() over by_change as n,
    {{change}}
  from workgate.time_entries o
  {{journalEntry}}
  where o.project_id = :projectId
    and o.task_id = t.id
    and o.ended_at is not null
  window by_change as (order by e.seq nulls first, o.id)
) x
