-- GET /projects/:projectId/files, GET /projects/:projectId/files/:fileId
-- Scans files_by_created_at, _by_updated_at, _by_task, _by_comment, _by_creator or, for commentId=none, files_without_comment.
select
  f.id,
  f.sort_key,
  (
    select row_to_json(o)
    from (
      select
        {{fileFields}}
    ) o
  )::text as item
from (
  select f.*, {{sortKey}} as sort_key
  from workgate.files f
  where f.project_id = :projectId
    {{#id}}and f.id = :id::uuid{{/id}}
    {{#taskId}}and f.task_id = any (:taskId::uuid[]){{/taskId}}
    {{#taskIdName}}and f.task_id = (select {{namedTask}} from (select :taskIdName::text as name) named){{/taskIdName}}
    {{#taskIdNames}}and f.task_id = any (array(select {{namedTask}} from unnest(:taskIdNames::text[]) named (name))){{/taskIdNames}}
    {{#commentId}}and f.comment_id = any (:commentId::uuid[]){{/commentId}}
    {{#commentIdOrNone}}and (f.comment_id = any (:commentIdOrNone::uuid[]) or f.comment_id is null){{/commentIdOrNone}}
    {{#commentIdIsNone}}and f.comment_id is null{{/commentIdIsNone}}
    {{#creatorId}}and f.creator_id = any (:creatorId::uuid[]){{/creatorId}}
    {{#createdAfter}}and f.created_at >= :createdAfter::timestamptz{{/createdAfter}}
    {{#createdBefore}}and f.created_at < :createdBefore::timestamptz{{/createdBefore}}
    {{#updatedAfter}}and f.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
    {{#updatedBefore}}and f.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
    {{keyset}}
  order by {{order}}
  limit :limit::integer + 1
) f
