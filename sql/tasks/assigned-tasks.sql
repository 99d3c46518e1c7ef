-- The matching tasks. Those assigned to somebody are these two: those of which the user is the first assignee, from an index for
-- all of them, and those with several assignees, which are few. With one condition for both, PostgreSQL would read all
-- tasks of the user, and sort them.
{{^assigneeId}}
{{matching}}
{{/assigneeId}}
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
