-- The conditions of tasks t on own fields, each part after its name; src/api/lists/own-field-filters.ts sets the parameters. A
-- condition on jsonb scans the index of the field, if it has one, and tells a text from a number.

-- name: value
-- The only condition is this value, of any type but a list
and workgate.own_field(t.fields, :fieldsOneName::text) = :fieldsOne::jsonb

-- name: other
-- The value that the text also means: a number, true or false
and workgate.own_field(t.fields, :fieldsOneName::text) = :fieldsOneOther::jsonb

-- name: listed
-- Lists with this text. Asks first whether there can be any, because they have no index.
and (
  select bool_or(f.type = 'list')
  from workgate.fields f
  where f.name = :fieldsOneName::text
    and (f.project_id is null or f.project_id = {{project}})
)
and jsonb_typeof(t.fields -> :fieldsOneName) = 'array'
and t.fields -> :fieldsOneName ? :fieldsOneText::text

-- name: one
-- All of them, beside other conditions
{{#fieldsOne}}and (
  t.fields -> :fieldsOneName::text = any (array[:fieldsOne::jsonb, :fieldsOneOther::jsonb])
  or t.fields -> :fieldsOneName ? :fieldsOneText::text){{/fieldsOne}}

-- name: conditions
-- Those of the field in each place. A text is in a list, or is it.
{{#fields{{n}}Is}}and (
  t.fields -> :fields{{n}}Name::text = any (:fields{{n}}Is::jsonb[])
  or t.fields -> :fields{{n}}Name ?| :fields{{n}}Texts::text[]){{/fields{{n}}Is}}
{{#fields{{n}}OrNone}}and (
  t.fields -> :fields{{n}}Name::text is null
  or t.fields -> :fields{{n}}Name = any (:fields{{n}}OrNone::jsonb[])
  or t.fields -> :fields{{n}}Name ?| :fields{{n}}Texts::text[]){{/fields{{n}}OrNone}}
{{#fields{{n}}IsNone}}and t.fields -> :fields{{n}}Name::text is null{{/fields{{n}}IsNone}}
{{#fields{{n}}From}}and workgate.own_field(t.fields, :fields{{n}}Name::text) between :fields{{n}}From::jsonb and :fields{{n}}To::jsonb{{/fields{{n}}From}}
