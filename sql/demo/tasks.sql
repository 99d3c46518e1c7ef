-- workgate demo: one batch of tasks with their history, tags and watchers.

-- The number of rows is what matters; all columns would take longer.
analyze planned_tasks (project_id);

insert into workgate.tasks (
  project_id, id, number, title, description, state, priority, type, board_id, stage_id, parent_id, assignee_id, assignee_ids, creator_id,
  start_date, due_date, estimate_seconds, fields, completed_at, created_at, updated_at, version)
select
  t.project_id, t.id, t.number,
  case
    when pg_temp.dice(k, 'sign') < 0.025 then pg_temp.pick('{"🐛 ","🔥 ","✨ ","🎉 ","⚠️ "}', pg_temp.dice(k, 'which sign'))
    else ''
  end || case
    when parent_id is not null then steps[1 + (nth_child - 1) % cardinality(steps)] || ' – ' || subject
    else format(l.title, pg_temp.pick(verbs, pg_temp.dice(k, 'verb')), subject,
      case when pg_temp.dice(k, 'tail') < 0.25 then pg_temp.pick(tails, pg_temp.dice(k, 'which tail')) else '' end)
  end,
  case
    when pg_temp.dice(k, 'described') < 0.3 then pg_temp.pick(details, pg_temp.dice(k, 'detail'))
    when pg_temp.dice(k, 'described') < 0.45 then
      pg_temp.pick(details, pg_temp.dice(k, 'detail'))
      || E'\n\n- [ ] ' || pg_temp.pick(checks, pg_temp.dice(k, 'check') / 2)
      || E'\n- [x] ' || pg_temp.pick(checks, 0.5 + pg_temp.dice(k, 'check') / 2)
  end,
  t.state, t.priority, t.type, s.board_id, s.id, t.parent_id, t.assignee_id,
  case when pg_temp.dice(k, 'shared') < 0.08 and t.creator_id <> t.assignee_id then array[t.assignee_id, t.creator_id] end, t.creator_id,
  start_date,
  -- Most open tasks that have not changed for 20 days have no due date, and no due date is on a weekend.
  case
    when pg_temp.dice(k, 'due') > 0.1 and t.state = 'open' and t.updated_at < until - interval '20 days' then null
    when pg_temp.dice(k, 'due') < 0.6 then
      due_date + case extract(isodow from due_date) when 6 then 2 when 7 then 1 else 0 end
  end,
  case when pg_temp.dice(k, 'estimated') < 0.5 then
    3600 * (array[1, 2, 4, 8, 16, 24, 40])
      [1 + floor(3.5 * (pg_temp.dice(k, 'estimate') + least(life / 1500, 0.99)))::integer]
  end,
  -- Epics get no points: their tasks have them.
  jsonb_strip_nulls(jsonb_build_object(
    'storyPoints', case when t.type is distinct from 'epic' and pg_temp.dice(k, 'pointed') < 0.8 then
      (array[1, 2, 2, 3, 3, 5, 8, 13])[1 + floor(4 * (pg_temp.dice(k, 'estimate') + least(life / 1500, 0.99)))::integer]
    end,
    'sprint', case when t.reached > 1 then
      'Sprint ' || 1 + greatest(0, t.updated_at::date - (until::date - 365)) / 14
    end)),
  case when t.state = 'completed' then t.updated_at end, t.created_at, t.updated_at, t.version
from brief
cross join planned_tasks t
join themes using (theme)
join languages l using (language)
left join planned_stages s on s.project_id = t.project_id
  and s.board = t.board
  and s.position = t.position
cross join lateral (select pg_temp.pick(subjects, pg_temp.dice(k - nth_child, 'subject')) as subject) as about
cross join lateral (
  select case
    when pg_temp.dice(k, 'starts') < 0.3 then t.created_at::date + (2 * pg_temp.dice(k, 'start'))::integer
  end as start_date
) as begins
cross join lateral (
  select t.created_at::date + 2 + ceil(life / 40 * (0.4 + pg_temp.dice(k, 'slack')))::integer as due_date
) as wanted;

-- The trigger has dated their creation now, but the history of the demo is in the past.
delete from workgate.task_history h
using planned_tasks t
where h.project_id = t.project_id
  and h.task_id = t.id;

-- The steps of a task, in this order: creation, assignment, raised priority, moves to the next stage, end.
insert into workgate.task_history (project_id, task_id, version, at, channel, actor, changes)
select
  t.project_id, t.id, step,
  case step when 1 then t.created_at when t.version then t.updated_at else pg_temp.moment(c, kind.tick) end,
  'web', jsonb_build_object('name', person.name),
  case
    when step = 1 then '{"state": {"from": null, "to": "open"}}'
    when is_assignment then jsonb_build_object('assigneeId', jsonb_build_object('from', null, 'to', t.assignee_id))
    when is_raise then jsonb_build_object('priority', jsonb_build_object('from', 'medium', 'to', t.priority))
    when is_end and t.state = 'completed' then
      jsonb_build_object(
        'state', jsonb_build_object('from', 'open', 'to', t.state),
        'completedAt', jsonb_build_object('from', null, 'to', workgate.iso(t.updated_at)))
      || case when t.board is null then '{}' else
        jsonb_build_object('stageId', jsonb_build_object('from', left_stage.id, 'to', entered_stage.id)) end
    when is_end then
      jsonb_build_object(
        'state', jsonb_build_object('from', 'open', 'to', t.state),
        'cancelledAt', jsonb_build_object('from', null, 'to', workgate.iso(t.updated_at)))
    else jsonb_build_object('stageId', jsonb_build_object('from', left_stage.id, 'to', entered_stage.id))
  end
from planned_tasks t
cross join lateral generate_series(1, t.version) as step
cross join lateral (
  select
    step = 2 and assigned_late as is_assignment,
    t.raised and step = 2 + assigned_late::integer as is_raise,
    step = t.version and t.state <> 'open' as is_end,
    step - 1 - assigned_late::integer - t.raised::integer as moves,
    created + (updated - created) * (step - 1 - 0.7 * pg_temp.dice(k * 16 + step, 'at'))
      / greatest(t.version - 1, 1) as tick
  offset 0
) as kind
join clock c on c.tick = floor(case step when 1 then created else kind.tick end)
join people person on person.id =
  case when step = 1 or is_assignment then t.creator_id else coalesce(t.assignee_id, t.owner_id) end
left join planned_stages left_stage on left_stage.project_id = t.project_id
  and left_stage.board = t.board
  and left_stage.position = case when is_end then t.reached else moves end
left join planned_stages entered_stage on entered_stage.project_id = t.project_id
  and entered_stage.board = t.board
  and entered_stage.position = case when is_end then t.position else moves + 1 end;

insert into workgate.task_tags (project_id, task_id, tag_id)
select t.project_id, t.id, tag.id
from planned_tasks t
cross join lateral (
  select
    width_bucket(pg_temp.dice(k, 'tags'), array[0.25, 0.65, 0.9]) as tags,
    floor(10 * pg_temp.dice(k, 'tag') * pg_temp.dice(k, 'liking'))::bigint as first
) as luck
cross join lateral generate_series(1, tags) as nth
join planned_tags tag on tag.project_id = t.project_id
  and tag.n = 1 + (first + 3 * (nth - 1)) % 10;

insert into workgate.task_watchers (project_id, task_id, user_id)
select t.project_id, t.id, watcher.user_id
from planned_tasks t
cross join lateral (
  select
    width_bucket(pg_temp.dice(k, 'watchers'), array[0.7, 0.85, 0.95]) as watchers,
    floor(t.members * pg_temp.dice(k, 'watcher'))::bigint as first
) as luck
cross join lateral generate_series(1, least(watchers, t.members)) as nth
join planned_members watcher on watcher.project_id = t.project_id
  and watcher.n = 1 + (first + nth) % t.members;
