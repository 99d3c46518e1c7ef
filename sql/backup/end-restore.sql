-- Checks the parents of all tasks, and makes the constraint what it was.
set constraints workgate.tasks_parent immediate;
alter table workgate.tasks alter constraint tasks_parent not deferrable;
