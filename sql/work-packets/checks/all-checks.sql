-- The checks of task t, which has no values if it does not exist, and of the receipt d of its deletion
select
  coalesce(
    json_agg(
      json_build_object(
        'name', c.name,
        'expected', c.expected,
        'actual', c.actual,
        'ok', c.ok,
        'by', case when c.ok then c.change -> 'by' end,
        'at', case when c.ok then c.change -> 'at' end)
      order by c.place),
    '[]') as items,
  coalesce(bool_and(c.ok), true) as ok
from (
  select
    c.place, c.name, c.expected,
    case when t.id is not null or c.name = 'deleted' then c.actual end as actual,
    c.ok and (t.id is not null or c.name = 'deleted') as ok,
    c.change
  from (
    select null::integer as place, null as name, null::json as expected, null::json as actual, null::boolean as ok, null::json as change
    where false
    {{all}}
  ) c
) c
