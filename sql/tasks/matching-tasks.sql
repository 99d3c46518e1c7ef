-- The tasks of a project that match the filters, in order.
-- Each sort order scans its own index. The default order has an index for each filter with one value: see
-- 0008-indexes.sql.
select t.*, {{sortKey}} as sort_key
from {{^q}}workgate.tasks{{/q}}{{#q}}{{#projectId}}workgate.tasks{{/projectId}}{{^projectId}}(
  -- A search in several projects finds the rows of each with the index of words alone. The planner would combine it with
  -- others and read all their entries, because it knows nothing about the words here.
  select *
  from workgate.tasks t
  where workgate.terms_in(t.project_id, t.title || ' ' || coalesce(t.description, '')) @@ workgate.words_in({{project}}, :q::text)
  offset 0
){{/projectId}}{{/q}} t
cross join lateral (
  -- Range conditions compare the same expression as the index of the sort, which puts nulls last in both directions.
  select
    coalesce(t.due_date, '{{last}}') as due_date,
    coalesce(t.completed_at, '{{last}}') as completed_at
) nulls_last
where t.project_id = {{project}}
  {{#id}}and t.id = :id::uuid{{/id}}
  {{#state}}and t.state = any (:state::text[]){{/state}}
  {{#stageId}}and t.stage_id = any (:stageId::uuid[]){{/stageId}}
  {{#boardId}}and t.board_id = any (:boardId::uuid[]){{/boardId}}
  {{assigned}}
  {{#assigneeIdOrNone}}and (t.assignee_id is null or t.assignee_id = any (:assigneeIdOrNone::uuid[]) or t.assignee_ids && :assigneeIdOrNone){{/assigneeIdOrNone}}
  {{#assigneeIdIsNone}}and t.assignee_id is null{{/assigneeIdIsNone}}
  {{#creatorId}}and t.creator_id = any (:creatorId::uuid[]){{/creatorId}}
  {{#watcherId}}and exists (
    select
    from workgate.task_watchers w
    where w.project_id = {{project}}
      and w.task_id = t.id
      and w.user_id = any (:watcherId::uuid[])){{/watcherId}}
  {{#priority}}and t.priority = any (:priority::workgate.priority[]){{/priority}}
  {{#type}}and t.type = any (:type::text[]){{/type}}
  {{#typeOrNone}}and (t.type is null or t.type = any (:typeOrNone::text[])){{/typeOrNone}}
  {{ownFields}}
  {{#parentId}}and t.parent_id = any (:parentId::uuid[]){{/parentId}}
  {{#parentIdName}}and t.parent_id = (select {{namedTask}} from (select :parentIdName::text as name) named){{/parentIdName}}
  {{#parentIdNames}}and t.parent_id = any (array(select {{namedTask}} from unnest(:parentIdNames::text[]) named (name))){{/parentIdNames}}
  {{#parentIdOrNone}}and (t.parent_id is null or t.parent_id = any (array(select {{namedTask}} from unnest(:parentIdOrNone::text[]) named (name)))){{/parentIdOrNone}}
  {{#parentIdIsNone}}and t.parent_id is null{{/parentIdIsNone}}
  {{#tag}}and exists (
    select
    from workgate.task_tags tt
    join workgate.tags g on g.id = tt.tag_id
    where tt.project_id = {{project}}
      and g.project_id = {{project}}
      and tt.task_id = t.id
      and lower(g.name) in (select lower(name) from unnest(:tag::text[]) as name)){{/tag}}
  {{#number}}and t.number = any (:number::bigint[]){{/number}}
  {{#reference}}and t.number = any (array(select split_part(r.name, '-', 2)::bigint from unnest(:reference::text[]) as r (name) join workgate.projects p on p.id = {{project}} and p.key = split_part(r.name, '-', 1))){{/reference}}
  {{#externalId}}and t.external_id = any (:externalId::text[]){{/externalId}}
  {{#dueAfter}}and nulls_last.due_date >= :dueAfter::date and nulls_last.due_date < 'infinity'{{/dueAfter}}
  {{#dueBefore}}and nulls_last.due_date < :dueBefore::date and nulls_last.due_date > '-infinity'{{/dueBefore}}
  {{#overdue}}and t.state = 'open' and nulls_last.due_date < (now() at time zone 'UTC')::date and nulls_last.due_date > '-infinity'{{/overdue}}
  {{#overdueIsFalse}}and (t.state <> 'open' or t.due_date is null or t.due_date >= (now() at time zone 'UTC')::date){{/overdueIsFalse}}
  {{#completedAfter}}and nulls_last.completed_at >= :completedAfter::timestamptz and nulls_last.completed_at < 'infinity'{{/completedAfter}}
  {{#completedBefore}}and nulls_last.completed_at < :completedBefore::timestamptz and nulls_last.completed_at > '-infinity'{{/completedBefore}}
  {{#q}}{{#projectId}}and (workgate.folded(t.title || ' ' || coalesce(t.description, '')) like all (workgate.word_patterns(:q::text)))::integer <> 0{{/projectId}}{{/q}}
  {{#q}}{{#projectId}}and (workgate.short_word(:q) is null or (workgate.folded(t.title || ' ' || coalesce(t.description, '')) ~ workgate.short_word(:q))::integer <> 0){{/projectId}}{{/q}}
  {{#q}}{{#projectId}}and workgate.terms_in(t.project_id, t.title || ' ' || coalesce(t.description, '')) @@ workgate.words_in({{project}}, :q::text){{/projectId}}{{/q}}
  {{#createdAfter}}and t.created_at >= :createdAfter::timestamptz{{/createdAfter}}
  {{#createdBefore}}and t.created_at < :createdBefore::timestamptz{{/createdBefore}}
  {{#updatedAfter}}and t.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
  {{#updatedBefore}}and t.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
  {{keyset}}
  {{until}}
order by {{order}}
