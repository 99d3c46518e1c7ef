-- Deletes tasks with everything that belongs to them, after their subtasks have lost their parent.
delete from workgate.tasks
where project_id = :projectId::uuid
  and id = any (:ids::uuid[])
