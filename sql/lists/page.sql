-- Returns a page of a list as JSON text, whether more rows follow, and the position of its last row, from one snapshot.
-- A page ends at the limit, or before its items exceed :maxBytes, but has at least one item.

-- The included statement returns sorted rows, up to one more than the limit. Every row contains the totals; if no row
-- matches, a single row without an id contains them.
with rows as (
{{rows}}
)
select
  (:projectId::uuid is null or exists (select from workgate.projects where id = :projectId)) as found,
  '[' || coalesce(string_agg(item, ',') filter (where fits and id is not null), '') || ']' as data,
  count(*) > count(*) filter (where fits) as "hasMore",
  (array_agg(position) filter (where fits))[count(*) filter (where fits)] as after,
  (array_agg(id::text) filter (where fits))[count(*) filter (where fits)] as "afterId",
  {{totals}} as totals
from (
  select n <= :limit and (n = 1 or bytes <= :maxBytes::integer) as fits, numbered.*
  from (
    select row_number() over up_to_here as n, sum(octet_length(item)) over up_to_here as bytes, rows.*
    from rows
    window up_to_here as (rows unbounded preceding)
  ) numbered
) measured
