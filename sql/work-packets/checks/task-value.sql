-- A value of task t, and the last change to it, which may be the creation of the task
select
  {{actual}} as actual,
  (
    select x.change
    from (
      select
        {{change}}
      from workgate.task_history e
      where e.project_id = :projectId
        and e.task_id = t.id
        and {{isChange}}
      order by e.version desc
      limit 1
    ) x
  ) as change
