-- GET /projects/:projectId/analytics/time?groupBy=task
-- Adds up the entries of the range: for each task and day, there are seldom fewer tallies than entries, and one more tally
-- would make the insertion of an entry take a tenth longer. The index time_entries_by_spent_on contains the figures.
select
  e.task_id as key,
  count(*) as entries,
  workgate.total(e.duration_seconds) as seconds,
  workgate.total(e.duration_seconds) filter (where e.billable) as billable_seconds
from workgate.time_entries e
where e.project_id = :projectId::uuid
  and e.spent_on >= :from::date
  and e.spent_on < :to::date
  and e.duration_seconds is not null
  {{#userId}}and e.user_id = any (:userId::uuid[]){{/userId}}
  {{#billable}}and e.billable = :billable::boolean{{/billable}}
group by e.task_id
