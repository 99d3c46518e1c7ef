-- Search inside a project. The words of its rows bear a mark of the project, so that an index on words alone leads to
-- the rows of one project: an index over two columns, one of them words, would need an extension.

create function workgate.terms_in(project_id uuid, content text) returns tsvector
language sql immutable strict parallel safe
return array_to_tsvector(array(
  select right(project_id::text, 8) || word
  from unnest(tsvector_to_array(workgate.terms(content))) as word));
comment on function workgate.terms_in(uuid, text) is
  'The words of a text behind a mark of its project. Projects may share a mark: compare project_id beside it.';

create function workgate.words_in(project_id uuid, q text) returns tsquery
language sql immutable strict parallel safe
return (
  select string_agg('''' || right(project_id::text, 8) || word || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(workgate.terms(q))) as word);
comment on function workgate.words_in(uuid, text) is
  'A search in a project: every word of q begins a word of the text. Null, which finds nothing, where q has no word.';
