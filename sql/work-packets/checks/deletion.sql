-- The deletion of the task
select t.id is null and d.receipt is not null as actual, json_build_object('by', d.receipt -> 'by', 'at', d.receipt -> 'deletedAt') as change
