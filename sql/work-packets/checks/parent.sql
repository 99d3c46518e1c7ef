-- The id of the task that is named as the parent
(
  select
    {{namedTask}}
  from (select :parentId::text as name) named
)
