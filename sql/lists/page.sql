-- Returns a page of a list as JSON text, whether more rows follow, and the sort key of its last row, from one snapshot.
-- A page ends at the limit, or before its items exceed :maxBytes, but has at least one item.

-- The included statement returns sorted rows, up to one more than the limit. Statements whose items contain long texts
-- build only those that can fit; the others are null. Every row contains the totals; if no row matches, a single row
-- with neither an id nor an item contains them. A condition on an own
-- field that no project has declared, or that has another type in one of them, is named with the type that it needs.
select
  found,
  '[' || coalesce(array_to_string(items[1 : shown], ','), '') || ']' as data,
  count > shown as "hasMore",
  (select {{sortKeyText}} from (select sort_keys[shown] as sort_key) last) as after,
  ids[shown]::text as "afterId",
  totals,
  "wrongField"
from (
  select
    rows.*,
    case
      when built = count and bytes <= :maxBytes::integer then least(count, :limit::integer)
      else (
        select count(*)
        from (
          select n, item, sum(octet_length(item)) over (order by n) as bytes
          from unnest(items) with ordinality items (item, n)
        ) measured
        where n <= :limit
          and item is not null
          and (n = 1 or measured.bytes <= :maxBytes)
      )
    end as shown
  from (
    select
      {{#projectId}}exists (select from workgate.projects where id = :projectId::uuid){{/projectId}}{{^projectId}}true{{/projectId}} as found,
      count(id) as count,
      count(item) as built,
      sum(octet_length(item)) as bytes,
      array_agg(item) as items,
      array_agg(sort_key) as sort_keys,
      array_agg(id) as ids,
      {{totals}} as totals,
      {{#fieldsNames}}(
        select min(n.name || '/' || n.type)
        from unnest(:fieldsNames::text[], :fieldsTypes::text[]) n (name, type)
        cross join lateral (
          select count(*) as declarations, count(*) filter (where n.type in ('any', f.type)) as fitting
          from workgate.fields f
          where f.name = n.name
            and (
              f.project_id is null
              {{#projectId}}or f.project_id = :projectId::uuid{{/projectId}}
              {{#projectKeys}}or f.project_id in (
                select p.id
                from workgate.projects p
                where (p.id = any (:projectIds::uuid[]) or p.key = any (:projectKeys::text[]))
                  {{^allProjects}}and p.id = any (:reach::uuid[]){{/allProjects}}
              ){{/projectKeys}}
              {{^projectKeys}}
              {{#projectIds}}or f.project_id = any (:projectIds::uuid[]){{/projectIds}}
              {{#allProjects}}or true{{/allProjects}}
              {{/projectKeys}}
            )
        ) d
        where d.fitting = 0
          or d.fitting < d.declarations
      ){{/fieldsNames}}{{^fieldsNames}}null{{/fieldsNames}} as "wrongField"
    from (
      {{rows}}
    ) rows
  ) rows
  offset 0
) page
