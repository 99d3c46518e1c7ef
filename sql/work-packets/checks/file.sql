-- The first file with this digest at a comment on task t
select
  f.sha256 as actual,
  {{change}}
from workgate.comments o
join workgate.comment_files f on f.project_id = :projectId
  and f.comment_id = o.id
{{journalEntry}}
where o.project_id = :projectId
  and o.task_id = t.id
  and f.sha256 = :fileSha256::text
order by e.seq nulls first
limit 1
