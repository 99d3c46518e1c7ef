-- The matching tasks. With one condition for all of these rows, PostgreSQL would read all of them, and sort them: those of which
-- a user is the first assignee, from an index for all of them, and those with several assignees, which are few; those with a
-- value in an own field, by each of its types.
{{#assigneeId}}
select *
from (
  (
    {{firstAssigned}}
    limit :limit::integer + 1
  )
  union all
  (
    {{alsoAssigned}}
    limit :limit + 1
  )
) t
-- Says that the order needs no project.
where t.project_id = {{project}}
order by {{order}}
{{/assigneeId}}
{{^assigneeId}}
{{#fieldsOne}}
select *
from (
  (
    {{withValue}}
    limit :limit::integer + 1
  )
  {{#fieldsOneOther}}
  union all
  (
    {{withOther}}
    limit :limit + 1
  )
  {{/fieldsOneOther}}
  union all
  (
    {{withText}}
    limit :limit + 1
  )
) t
where t.project_id = {{project}}
order by {{order}}
{{/fieldsOne}}
{{^fieldsOne}}
{{matching}}
{{/fieldsOne}}
{{/assigneeId}}
