-- workgate projects show, workgate projects delete
select id
from workgate.projects
where key = :key
