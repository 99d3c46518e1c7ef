-- workgate doctor: triggers that are disabled, or enabled for the wrong replication role. Those of a foreign key are named
-- by the key: their own names are numbers.
select coalesce('foreign key ' || foreign_key, name) || ' on ' || on_table as trigger
from workgate.misconfigured_triggers()
group by 1, foreign_key is null
order by foreign_key is null, 1
