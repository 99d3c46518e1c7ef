-- GET /projects/:projectId/documents, GET /projects/:projectId/documents/:documentId
-- Scans documents_path_taken, _by_updated_at, _by_title, _by_task or _by_author. A search uses documents_by_terms.
-- The statement never reads the Markdown text: lists do not show, search or compare it.
select
  d.id,
  {{sortKey}} as sort_key,
  (
    select row_to_json(f)
    from (
      select
        {{documentFields}}
    ) f
  )::text as item
from workgate.documents d
where d.project_id = :projectId::uuid
  {{#id}}and d.id = :id::uuid{{/id}}
  {{#taskId}}and d.task_id = any (:taskId::uuid[]){{/taskId}}
  {{#taskIdName}}and d.task_id = (select {{namedTask}} from (select :taskIdName::text as name) named){{/taskIdName}}
  {{#taskIdNames}}and d.task_id = any (array(select {{namedTask}} from unnest(:taskIdNames::text[]) named (name))){{/taskIdNames}}
  {{#authorId}}and d.author_id = any (:authorId::uuid[]){{/authorId}}
  -- PostgreSQL 14 uses an index range for "like", but not for starts_with().
  {{#pathPrefix}}and d.path like regexp_replace(:pathPrefix::text, '([\\%_])', '\\\1', 'g') || '%'{{/pathPrefix}}
  {{#q}}and (workgate.folded(d.title || ' ' || (d.path collate "default")) like all (workgate.word_patterns(:q::text)))::integer <> 0{{/q}}
  {{#q}}and (workgate.short_word(:q) is null or (workgate.folded(d.title || ' ' || (d.path collate "default")) ~ workgate.short_word(:q))::integer <> 0){{/q}}
  {{#q}}and workgate.terms_in(d.project_id, d.title || ' ' || (d.path collate "default")) @@ workgate.words_in(:projectId, :q::text){{/q}}
  {{#createdAfter}}and d.created_at >= :createdAfter::timestamptz{{/createdAfter}}
  {{#createdBefore}}and d.created_at < :createdBefore::timestamptz{{/createdBefore}}
  {{#updatedAfter}}and d.updated_at >= :updatedAfter::timestamptz{{/updatedAfter}}
  {{#updatedBefore}}and d.updated_at < :updatedBefore::timestamptz{{/updatedBefore}}
  {{keyset}}
order by {{order}}
limit :limit::integer + 1
