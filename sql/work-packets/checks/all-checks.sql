-- The checks of task t, which has no values if it does not exist, and of the receipt d of its deletion
select
  concat(
    '[',
    string_agg(
      (
        select row_to_json(f)::text
        from (
          select
            c.name,
            c.expected,
            c.actual,
            c.ok,
            case when c.ok then c.change -> 'by' end as by,
            case when c.ok then c.change -> 'at' end as at
        ) f
      ),
      ',' order by c.n),
    ']')::json as items,
  coalesce(bool_and(c.ok), true) as ok
from (
  select
    c.n, c.name, c.expected,
    case when t.id is not null or c.name = 'deleted' then c.actual end as actual,
    c.ok and (t.id is not null or c.name = 'deleted') as ok,
    c.change
  from (
    select null::integer as n, null as name, null::json as expected, null::json as actual, null::boolean as ok, null::json as change
    where false
    {{all}}
  ) c
) c
