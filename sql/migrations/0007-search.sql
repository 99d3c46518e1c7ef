-- Full-text search: the words of a text, the query of a search, and the GIN indexes.

create function workgate.folded(content text) returns text
-- Not strict, here and in words(): PostgreSQL would not inline it, and calling it takes longer than its work.
language sql immutable parallel safe
-- The same letter can be written precomposed or with combining characters. ASCII text needs no normalization. The
-- collation C is four times as fast for it, and converts ASCII letters the same in every locale, unlike tr.
return case
  when octet_length(content) = char_length(content) then lower(content collate "C") collate "default"
  else lower(lower(normalize(content, nfc) collate "C") collate "default")
end;
comment on function workgate.folded(text) is 'A text in the form that searches compare: lower case and normalized (NFC).';

create function workgate.words(content text) returns text
language sql immutable parallel safe
-- Lists the separators: spaces, punctuation, symbols, invisible characters and emoji. A class such as \W would depend
-- on the locale and split words at the vowel signs of many scripts.
return btrim(regexp_replace(
  workgate.folded(content),
  '[\s!-/:-@\[-`{-~'
    || '\u0080-\u00a9\u00ab-\u00b1\u00b4\u00b6-\u00b8\u00bb-\u00bf\u00d7\u00f7'
    || '\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u1361-\u1368'
    || '\u2000-\u206f\u20a0-\u20cf\u2116\u2117\u2120-\u2122\u2190-\u2bff\u2e00-\u2e7f'
    || '\u3000-\u3004\u3008-\u3020\u3030\u303d\u30a0\u30fb'
    || '\ufe0e-\ufe1f\ufe30-\ufe6f\ufeff\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0-\uffee'
    || '\U0001f000-\U0001faff]+',
  ' ', 'g'));
comment on function workgate.words(text) is 'The words of a text, folded and separated by single spaces.';

create function workgate.terms(content text) returns tsvector
language sql immutable strict parallel safe
return array_to_tsvector(array(
  select left(word, 100)
  from unnest(string_to_array(workgate.words(content), ' ')) as word));
comment on function workgate.terms(text) is 'The words of a text as a tsvector, without their positions.';

create function workgate.words_of(q text) returns tsquery
language sql immutable strict parallel safe
return (
  select string_agg('''' || word || ''':*', ' & ')::tsquery
  from unnest(tsvector_to_array(workgate.terms(q))) as word);
comment on function workgate.words_of(text) is
  'A search query that matches a text if every word of q is a prefix of one of its words. Null, which matches '
  'nothing, if q has no words.';

-- Search in one project. Every word is prefixed with a mark of its project, so that a GIN index on words finds the rows
-- of one project. A GIN index on (project_id, words) would need the extension btree_gin.

create function workgate.terms_in(project_id uuid, content text) returns tsvector
language plpgsql immutable strict parallel safe
-- The measured cost. It makes the planner evaluate this function last.
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
  -- Words can be longer than a tsvector allows.
  return array_to_tsvector(array(
    select mark || left(word, 100)
    from unnest(string_to_array(words, ' ')) as word));
end
$$;
comment on function workgate.terms_in(uuid, text) is
  'The words of a text, each prefixed with a mark of its project. Projects can share a mark: compare project_id as well.';

create function workgate.words_in(project_id uuid, q text) returns tsquery
language sql immutable strict parallel safe
-- PostgreSQL inlines this, unlike a subquery, so a search in many projects computes words_of() once.
return substr(replace('& ' || workgate.words_of(q)::text, '& ''', '& ''' || right(project_id::text, 8)), 3)::tsquery;
comment on function workgate.words_in(uuid, text) is
  'words_of() for terms_in(): a search query within a project. Null, which matches nothing, if q has no words.';

-- A search for rare words sorts the rows that its GIN index finds. For common words, it reads rows in list order until
-- the page is full. The planner chooses: ANALYZE counts the words in the indexed expressions.

-- In list order, the statements first compare word_patterns(), which costs a tenth of terms_in(). They write
-- "::integer <> 0", which the planner expects of nearly all rows, so that its estimate comes from the words alone.
create function workgate.word_patterns(q text) returns text[]
language sql immutable strict parallel safe
return array(
  select '%' || word || '%'
  from unnest(tsvector_to_array(workgate.terms(q))) as word
  order by char_length(word) desc, word
  limit 4);
comment on function workgate.word_patterns(text) is
  'LIKE patterns for the longest words of a search: folded(text) matches all of them if the search matches the text. '
  'Words contain no LIKE wildcards.';

create function workgate.short_word(q text) returns text
language sql immutable strict parallel safe
return (
  select '(^|[^a-z0-9])' || max(word)
  from unnest(tsvector_to_array(workgate.terms(q))) as word
  having max(char_length(word)) <= 2);
comment on function workgate.short_word(text) is
  'For a search whose words have one or two letters, which nearly every text contains: a regular expression that folded(text) '
  'matches if one of its words starts with them. No word starts after an ASCII letter or digit. Null for other searches.';

-- Maintaining tasks_by_terms takes about 40 µs of the 125 µs that loading a task takes.

create index projects_by_terms on workgate.projects using gin (workgate.terms(key || ' ' || name || ' ' || coalesce(description, '')));
create index tasks_by_terms on workgate.tasks using gin (workgate.terms_in(project_id, title || ' ' || coalesce(description, '')));
create index comments_by_terms on workgate.comments using gin (workgate.terms_in(project_id, body));
create index documents_by_terms on workgate.documents using gin (workgate.terms_in(project_id, title || ' ' || (path collate "default")));
