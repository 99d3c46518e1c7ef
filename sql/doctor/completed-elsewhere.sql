-- workgate doctor: counts the completed tasks of each project that are in another stage although their board has a done
-- stage. Reads tallies, not tasks.
select p.key, workgate.total(t.n)::float8 as tasks
from workgate.stages s
join workgate.projects p on p.id = s.project_id
join (
  select t.project_id, t.key, t.n
  from workgate.tallies t
  where t.kind = 'stage'
    and t.span = 'ever'
    and t.part = 'completed'
  union all
  select d.project_id, d.key, d.n
  from workgate.tally_deltas d
  where d.kind = 'stage'
    and d.part = 'completed'
) t on t.project_id = s.project_id and t.key = s.id::text
where s.category <> 'done'
  and exists (
    select from workgate.stages d
    where d.project_id = s.project_id
      and d.board_id = s.board_id
      and d.category = 'done'
  )
group by p.key
having workgate.total(t.n) > 0
order by p.key
