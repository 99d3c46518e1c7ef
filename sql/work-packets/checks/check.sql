-- The check of an expectation of task t: what is expected, what is there, and the change by which it was met
union all
select
  {{n}} as n,
  '{{name}}' as name,
  {{expected}} as expected,
  to_json(c.actual) as actual,
  coalesce({{isMet}}, false) as ok,
  c.change
from (select) one
left join lateral (
  {{evidence}}
) c on true
