-- GET /readyz and workgate migrate: the applied migrations
select name, checksum
from workgate.migrations
order by name
