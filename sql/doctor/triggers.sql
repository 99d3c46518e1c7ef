-- workgate doctor: triggers that are disabled, or enabled for the wrong replication role.
select name, on_table::text as "table"
from workgate.misconfigured_triggers()
