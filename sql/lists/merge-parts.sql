-- In a cluster: the rows of a list that were read in each place.
select r.id, r.position, r.item
from (
  select e ->> 0 as id, (e ->> 1)::{{type}} as position, e ->> 2 as item
  from json_array_elements(:parts::json) e
) r
order by {{order}}
limit :limit::integer + 1
