-- GET /projects/:projectId/documents, GET /projects/:projectId/documents/:documentId
-- Scans documents_path_taken, _by_updated_at, _by_title, _by_task or _by_author. A search uses documents_by_terms.
-- The statement never reads the Markdown text: lists do not show, search or compare it.
select
  d.id,
  {{position}} as position,
  (
    select row_to_json(f)
    from (
      select
        {{documentFields}}
    ) f
  )::text as item
from workgate.documents d
where d.project_id = :projectId::uuid
  and (:id::uuid is null or d.id = :id)
  -- A comparison with one value preserves the index order of later columns; "= any" does not.
  and (:taskId::uuid[] is null
    or case cardinality(:taskId) when 1 then d.task_id = (:taskId)[1] else d.task_id = any (:taskId) end)
  and (:authorId::uuid[] is null
    or case cardinality(:authorId) when 1 then d.author_id = (:authorId)[1] else d.author_id = any (:authorId) end)
  -- PostgreSQL 14 uses an index range for "like", but not for starts_with().
  and (:pathPrefix::text is null
    or d.path like regexp_replace(:pathPrefix, '([\\%_])', '\\\1', 'g') || '%')
  and (:q::text is null or (workgate.folded(d.title || ' ' || (d.path collate "default")) like all (workgate.word_patterns(:q)))::integer <> 0)
  and (workgate.short_word(:q) is null or (workgate.folded(d.title || ' ' || (d.path collate "default")) ~ workgate.short_word(:q))::integer <> 0)
  and (:q::text is null or workgate.terms_in(d.project_id, d.title || ' ' || (d.path collate "default")) @@ workgate.words_in(:projectId, :q))
  and (:createdAfter::timestamptz is null or d.created_at >= :createdAfter)
  and (:createdBefore::timestamptz is null or d.created_at < :createdBefore)
  and (:updatedAfter::timestamptz is null or d.updated_at >= :updatedAfter)
  and (:updatedBefore::timestamptz is null or d.updated_at < :updatedBefore)
  and {{keyset}}
order by {{order}}
limit :limit::integer + 1
