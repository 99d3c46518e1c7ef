-- workgate doctor: triggers that are switched off, or in force for others than they should be.
select name, on_table::text as "table"
from workgate.wrong_triggers()
