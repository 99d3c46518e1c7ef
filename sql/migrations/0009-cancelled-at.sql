-- When a task was cancelled, as completed_at says it of completed ones: what a burn-up chart needs.

-- A function whose body PostgreSQL has parsed holds the columns of the table as they are. As text it does not.
drop function workgate.task_changes(workgate.tasks, workgate.tasks);

alter table workgate.tasks add column cancelled_at workgate.moment;
comment on column workgate.tasks.cancelled_at is
  'Set exactly for cancelled tasks. Left out, it is filled in: updated_at of a new row, else the time of the change.';

-- Neither a new version nor an entry in the history: it is the schema that changes.
alter table workgate.tasks disable trigger user;
update workgate.tasks t
set cancelled_at = coalesce(
  (
    select max(h.at)
    from workgate.task_history h
    where h.project_id = t.project_id
      and h.task_id = t.id
      and h.changes -> 'state' ->> 'to' = 'cancelled'
  ),
  t.updated_at)
where t.state = 'cancelled';
alter table workgate.tasks enable trigger user;

alter table workgate.tasks
  add constraint tasks_cancelled_at_of_cancelled check ((state = 'cancelled') = (cancelled_at is not null));

create function workgate.task_changes(o workgate.tasks, n workgate.tasks) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_object_agg(field, jsonb_build_object('from', was, 'to', becomes)), '{}')
  from (values
    ('number',          to_jsonb(o.number),            to_jsonb(n.number)),
    ('title',           to_jsonb(o.title),             to_jsonb(n.title)),
    ('description',     to_jsonb(o.description),       to_jsonb(n.description)),
    ('state',           to_jsonb(o.state),             to_jsonb(n.state)),
    ('priority',        to_jsonb(o.priority),          to_jsonb(n.priority)),
    ('boardId',         to_jsonb(o.board_id),          to_jsonb(n.board_id)),
    ('stageId',         to_jsonb(o.stage_id),          to_jsonb(n.stage_id)),
    ('parentId',        to_jsonb(o.parent_id),         to_jsonb(n.parent_id)),
    ('assigneeId',      to_jsonb(o.assignee_id),       to_jsonb(n.assignee_id)),
    ('creatorId',       to_jsonb(o.creator_id),        to_jsonb(n.creator_id)),
    ('startDate',       to_jsonb(o.start_date),        to_jsonb(n.start_date)),
    ('dueDate',         to_jsonb(o.due_date),          to_jsonb(n.due_date)),
    ('estimateSeconds', to_jsonb(o.estimate_seconds),  to_jsonb(n.estimate_seconds)),
    ('completedAt',     to_jsonb(workgate.iso(o.completed_at)), to_jsonb(workgate.iso(n.completed_at))),
    ('cancelledAt',     to_jsonb(workgate.iso(o.cancelled_at)), to_jsonb(workgate.iso(n.cancelled_at)))
  ) as c (field, was, becomes)
  where was is distinct from becomes
$$;

create function workgate.fill_cancelled_at() returns trigger
language plpgsql
as $$
begin
  new.cancelled_at := new.updated_at;
  return new;
end
$$;

create or replace function workgate.update_task() returns trigger
language plpgsql
as $$
begin
  new.updated_at := workgate.present();
  if new.state = 'completed' and new.completed_at is null then
    new.completed_at := new.updated_at;
  elsif new.state <> 'completed' and old.state = 'completed' then
    new.completed_at := null;
  end if;
  if new.state = 'cancelled' and new.cancelled_at is null then
    new.cancelled_at := new.updated_at;
  elsif new.state <> 'cancelled' and old.state = 'cancelled' then
    new.cancelled_at := null;
  end if;
  if new.stage_id is distinct from old.stage_id and new.board_id is not distinct from old.board_id
    and new.stage_id is not null then
    new.board_id := workgate.board_of(new.project_id, new.stage_id);
  end if;
  new.number := coalesce(new.number, old.number);
  new.version := old.version + 1;
  return new;
end
$$;

create trigger tasks_fill_cancelled_at before insert on workgate.tasks
  for each row when (new.state = 'cancelled' and new.cancelled_at is null)
  execute function workgate.fill_cancelled_at();
