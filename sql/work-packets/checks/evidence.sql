-- The first object o of task t that is as expected
select
  {{actual}} as actual,
  {{change}}
from workgate.{{table}} o
{{journalEntry}}
where o.project_id = :projectId
  and o.task_id = t.id
  and {{condition}}
order by e.seq nulls first
limit 1
