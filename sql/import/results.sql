-- The outcomes, with the first names of each kind.
select
  kind, outcome, sum(n)::integer as n,
  array_to_json((
    select array_agg(name)
    from (select name from results o, unnest(o.names) as name where o.kind = r.kind and o.outcome = r.outcome limit 3) first_ones
  ))::text as names
from results r
group by kind, outcome
having sum(n) > 0
