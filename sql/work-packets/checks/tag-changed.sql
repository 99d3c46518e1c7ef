-- True if entry e created the task, or added or removed the tag with this name
(
  e.version = 1
  or exists (select from jsonb_array_elements_text(e.changes -> 'tags' -> 'from') tag where lower(tag.value) = lower({{tag}}))
  <> exists (select from jsonb_array_elements_text(e.changes -> 'tags' -> 'to') tag where lower(tag.value) = lower({{tag}}))
)
