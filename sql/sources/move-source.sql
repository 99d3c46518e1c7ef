-- The tracker has given its project another address. The ids of rows stay.
update workgate.sources s
set address = :address::text
from workgate.source_progress g
where s.project_id = :projectId::uuid
  and g.project_id = s.project_id
  and g.fence = :fence::bigint
