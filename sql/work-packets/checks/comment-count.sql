-- The number of comments on task t, and the change that made it as high as expected
select count(*) as actual, (array_agg(x.change) filter (where x.n = :minComments::bigint))[1] as change
from (
  select
    row_number() over (order by e.seq nulls first, o.id) as n,
    {{change}}
  from workgate.comments o
  {{journalEntry}}
  where o.project_id = :projectId
    and o.task_id = t.id
) x
