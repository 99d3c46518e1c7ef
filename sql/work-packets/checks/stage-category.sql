-- The category of the stage of task t
(
  select s.category
  from workgate.stages s
  where s.project_id = :projectId
    and s.id = t.stage_id
)
