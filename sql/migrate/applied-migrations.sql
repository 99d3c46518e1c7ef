-- GET /readyz, and before each migration
select name, checksum
from workgate.migrations
order by name
