-- Search inside a project. The words of its rows bear a mark of the project, so that an index on words alone leads to
-- the rows of one project: an index over two columns, one of them words, would need an extension.

create function workgate.terms_in(project_id uuid, content text) returns tsvector
language plpgsql immutable strict parallel safe
-- What it costs in truth, so that it is asked last.
cost 4000
as $$
declare
  mark constant text := right(project_id::text, 8);
  words constant text := workgate.words(content);
begin
  if words = '' then
    return '';
  end if;
  if octet_length(words) < 2000 then
    return array_to_tsvector(string_to_array(mark || replace(words, ' ', ' ' || mark), ' '));
  end if;
  -- Here a word may be longer than a tsvector can hold.
  return array_to_tsvector(array(
    select mark || left(word, 100)
    from unnest(string_to_array(words, ' ')) as word));
end
$$;
comment on function workgate.terms_in(uuid, text) is
  'The words of a text behind a mark of its project. Projects may share a mark: compare project_id beside it.';

create function workgate.words_in(project_id uuid, q text) returns tsquery
language sql immutable strict parallel safe
return (
  select string_agg('''' || right(project_id::text, 8) || word || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(workgate.terms(q))) as word);
comment on function workgate.words_in(uuid, text) is
  'A search in a project: every word of q begins a word of the text. Null, which finds nothing, where q has no word.';

-- A search has two ways: its index, and the order of the list until a page is full, which is the better one for words
-- that many rows have. The planner guesses which, and may guess wrong: then the pattern refuses a row for a thirtieth of
-- what it costs to make its terms. Four letters: of a longer one the planner believes that next to no row has it.
create function workgate.pattern_of(q text) returns text
language sql immutable strict parallel safe
return (
  select '%' || left(word, 4) || '%'
  from unnest(tsvector_to_array(workgate.terms(q))) as word
  order by char_length(word) desc
  limit 1);
comment on function workgate.pattern_of(text) is
  'What folded(text) is like wherever a search finds q in the text. No word holds a sign that like knows.';
