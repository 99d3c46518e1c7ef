-- True if the measure is an own field of the project with the type number
select exists (
  select
  from workgate.fields f
  where f.name = :measure::text
    and f.type = 'number'
    and (f.project_id is null or f.project_id = :projectId::uuid)
)
