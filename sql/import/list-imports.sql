-- workgate imports list: the last ones.
select row_to_json(f)::text as json
from (
  select
    i.id, workgate.iso(i.at) as at, i.file, i.formats,
    array(select p.key from workgate.projects p where p.id = any (i.project_ids) order by p.key) as projects, i.counts,
    workgate.iso(i.undone_at) as "undoneAt"
  from workgate.imports i
  order by i.id desc
  limit 20
) f
