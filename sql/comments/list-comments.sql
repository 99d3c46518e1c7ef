-- GET /projects/:projectId/comments, GET /projects/:projectId/comments/:commentId
-- Scans comments_by_created_at, _by_updated_at, _by_task or _by_author. A search uses comments_by_terms.
-- Builds no items after the one that ends the page by its bytes: page.sql would drop them.
select
  c.id,
  c.sort_key,
  case when coalesce(sum(octet_length(c.body)) over before, 0) <= :maxBytes::integer then
    {{#includeFiles}}left({{/includeFiles}}(
      select row_to_json(f)::text
      from (
        select
          {{commentFields}}
      ) f
    ){{#includeFiles}}, -1) || ',"files":' || (
      {{commentFiles}}
    ) || '}'{{/includeFiles}}
  end as item
from (
  select c.*, {{sortKey}} as sort_key
  from workgate.comments c
  where c.project_id = :projectId
    {{#id}}and c.id = :id::uuid{{/id}}
    {{#taskId}}and c.task_id = any (:taskId::uuid[]){{/taskId}}
    {{#taskIdName}}and c.task_id = (select {{namedTask}} from (select :taskIdName::text as name) named){{/taskIdName}}
    {{#taskIdNames}}and c.task_id = any (array(select {{namedTask}} from unnest(:taskIdNames::text[]) named (name))){{/taskIdNames}}
    {{#authorId}}and c.author_id = any (:authorId::uuid[]){{/authorId}}
    {{#hasFiles}}and :hasFiles::boolean = exists (
      select
      from workgate.files cf
      where cf.project_id = :projectId
        and cf.comment_id = c.id
      offset 0){{/hasFiles}}
    {{#q}}and (workgate.folded(c.body) like all (workgate.word_patterns(:q::text)))::integer <> 0{{/q}}
    {{#q}}and (workgate.short_word(:q) is null or (workgate.folded(c.body) ~ workgate.short_word(:q))::integer <> 0){{/q}}
    {{#q}}and workgate.terms_in(c.project_id, c.body) @@ workgate.words_in(:projectId, :q::text){{/q}}
    {{#createdAfter}}and c.created_at >= :createdAfter::timestamptz{{/createdAfter}}
    {{#createdBefore}}and c.created_at < :createdBefore::timestamptz{{/createdBefore}}
    {{#updatedAfter}}and c.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
    {{#updatedBefore}}and c.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
    {{keyset}}
  order by {{order}}
  limit :limit::integer + 1
) c
window before as (rows between unbounded preceding and 1 preceding)
