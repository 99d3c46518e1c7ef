-- In a cluster: the rows of a list that were read in each place.
select r.id, r.sort_key, r.item
from (
  select e ->> 0 as id, (e ->> 1)::{{type}} as sort_key, e ->> 2 as item
  from json_array_elements(:parts::json) e
) r
order by {{order}}
limit :limit::integer + 1
