-- workgate people merge
-- Until the end of the transaction, nobody else can refer to these users or change them.
with locked as (
  select id, name, email
  from workgate.users
  where id = :keepId
    or id = any (:otherIds::uuid[])
  order by id
  for update
)
insert into merged (id, keep_id, n, name, email)
select l.id, k.id, array_position(:otherIds::uuid[], l.id), l.name, l.email
from locked l
join locked k on k.id = :keepId
where l.id <> k.id
returning id
