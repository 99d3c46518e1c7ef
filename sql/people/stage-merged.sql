-- workgate people merge
-- Until the end of the transaction, nobody else can refer to these users or change them.
with locked as (
  select id, email
  from workgate.users
  where id = :keepId
    or id = any (:otherIds::uuid[])
  order by id
  for update
)
insert into merged (id, keep_id, n, email)
select l.id, k.id, array_position(:otherIds::uuid[], l.id), l.email
from locked l
join locked k on k.id = :keepId
where l.id <> k.id
returning id
