-- Whether the task was deleted
select t.id is null and d.receipt is not null as actual, json_build_object('by', d.receipt -> 'by', 'at', d.receipt -> 'deletedAt') as change
