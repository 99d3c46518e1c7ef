-- Tasks are inserted in batches, in which subtasks can come before their parents.
alter table workgate.tasks alter constraint tasks_parent deferrable;
set constraints workgate.tasks_parent deferred;
