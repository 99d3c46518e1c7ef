-- The last change to task t that is as expected
select
  {{actual}} as actual,
  {{change}}
from workgate.task_history e
where e.project_id = :projectId
  and e.task_id = t.id
  {{condition}}
order by e.version desc
limit 1
