-- Runs while requests wait: finds the entries of the journal that are visible now, and were not in :base, the snapshot of
-- the run before. For each scope that they name, :changes has the ids of the changed tasks, or null if all of the scope
-- may have changed. It is null if everything may have: there are too many entries, or the snapshot is of another server.
with entries as materialized (
  (
    select j.scope, j.kind, j.id
    from pg_snapshot_xip(:base::pg_snapshot) running (xid)
    cross join lateral (
      select j.scope, j.kind, j.id
      from workgate.journal j
      where j.xid = running.xid
      offset 0
    ) j
    limit 10001
  )
  union all
  (
    select j.scope, j.kind, j.id
    from workgate.journal j
    where j.xid >= pg_snapshot_xmax(:base)
      and j.xid < pg_snapshot_xmax(pg_current_snapshot())
    limit 10001
  )
)
select
  pg_current_snapshot()::text as now,
  case
    when pg_snapshot_xmax(:base) <= pg_snapshot_xmax(pg_current_snapshot())
      and (select count(*) <= 10000 and coalesce(bool_and(kind <> 'everything'), true) from entries)
    then (
      select coalesce(json_agg(json_build_array(c.scope, c.tasks)), '[]')::text
      from (
        select
          e.scope,
          case when bool_and(e.kind not in ('project', 'contents', 'tasks', 'tag')) then
            coalesce(array_agg(distinct e.id) filter (where e.kind = 'task'), '{}')
          end as tasks
        from entries e
        group by e.scope
      ) c
    )
  end as changes
