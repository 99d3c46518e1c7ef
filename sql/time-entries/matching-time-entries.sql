-- The time entries of a project that match the filters, in order.
-- Scans time_entries_by_started_at, _by_spent_on, _by_updated_at, _by_task, _by_user or, for running=true, _running.
select t.*, {{position}} as position
from workgate.time_entries t
where t.project_id = {{project}}
  {{#id}}and t.id = :id::uuid{{/id}}
  {{#taskId}}and t.task_id = {{#taskId.named}}{{anyOf array({{namedTasks}})}}{{/taskId.named}}{{^taskId.named}}{{anyOf :taskId::uuid[]}}{{/taskId.named}}{{/taskId}}
  {{#userId}}and t.user_id = {{anyOf :userId::uuid[]}}{{/userId}}
  {{#billable}}and t.billable = :billable::boolean{{/billable}}
  {{#running.true}}and t.ended_at is null{{/running.true}}
  {{#running.false}}and t.ended_at is not null{{/running.false}}
  {{#spentAfter}}and t.spent_on >= :spentAfter::date{{/spentAfter}}
  {{#spentBefore}}and t.spent_on < :spentBefore::date{{/spentBefore}}
  {{#startedAfter}}and t.started_at >= :startedAfter::timestamptz{{/startedAfter}}
  {{#startedBefore}}and t.started_at < :startedBefore::timestamptz{{/startedBefore}}
  {{#createdAfter}}and t.created_at >= :createdAfter::timestamptz{{/createdAfter}}
  {{#createdBefore}}and t.created_at < :createdBefore::timestamptz{{/createdBefore}}
  {{#updatedAfter}}and t.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
  {{#updatedBefore}}and t.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
  {{keyset}}
order by {{order}}
