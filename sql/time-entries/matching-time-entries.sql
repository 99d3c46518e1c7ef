-- The time entries of a project that match the filters, in order.
-- Scans time_entries_by_started_at, _by_spent_on, _by_updated_at, _by_task, _without_task, _by_user or, for running=true,
-- _running.
select t.*, {{sortKey}} as sort_key
from workgate.time_entries t
where t.project_id = {{project}}
  {{#id}}and t.id = :id::uuid{{/id}}
  {{#taskId}}and t.task_id = any (:taskId::uuid[]){{/taskId}}
  {{#taskIdName}}and t.task_id = (select {{namedTask}} from (select :taskIdName::text as name) named){{/taskIdName}}
  {{#taskIdNames}}and t.task_id = any (array(select {{namedTask}} from unnest(:taskIdNames::text[]) named (name))){{/taskIdNames}}
  {{#taskIdOrNone}}and (t.task_id is null or t.task_id = any (array(select {{namedTask}} from unnest(:taskIdOrNone::text[]) named (name)))){{/taskIdOrNone}}
  {{#taskIdIsNone}}and t.task_id is null{{/taskIdIsNone}}
  {{#userId}}and t.user_id = any (:userId::uuid[]){{/userId}}
  {{#billable}}and t.billable = :billable::boolean{{/billable}}
  {{#running}}and t.ended_at is null{{/running}}
  {{#runningIsFalse}}and t.ended_at is not null{{/runningIsFalse}}
  {{#spentAfter}}and t.spent_on >= :spentAfter::date{{/spentAfter}}
  {{#spentBefore}}and t.spent_on < :spentBefore::date{{/spentBefore}}
  {{#startedAfter}}and t.started_at >= :startedAfter::timestamptz{{/startedAfter}}
  {{#startedBefore}}and t.started_at < :startedBefore::timestamptz{{/startedBefore}}
  {{#createdAfter}}and t.created_at >= :createdAfter::timestamptz{{/createdAfter}}
  {{#createdBefore}}and t.created_at < :createdBefore::timestamptz{{/createdBefore}}
  {{#updatedAfter}}and t.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
  {{#updatedBefore}}and t.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
  {{keyset}}
  {{until}}
order by {{order}}
