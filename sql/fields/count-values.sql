-- workgate fields remove: the number of tasks that have a value, which another declaration does not allow
select count(*)::integer as tasks
from workgate.tasks t
where t.fields ? :name::text
  and (:key::text is null or t.project_id = (select id from workgate.projects where key = :key))
