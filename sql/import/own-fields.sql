-- The own fields of tasks. Those that an export declares, and those that tasks have, are declared for their project unless they
-- are already. Values that a tool exports as text become values of the declared type.
create temporary table declared_fields on commit drop as
select i.id, i.line, p.id as place, i.data ->> 'name' as name, i.data ->> 'type' as type
from imported i
left join target_projects p on p.imported_id = i.project_id
where i.kind = 'field';

insert into refused
select distinct on (d.line) d.line, 'type', d.type, format('is not that of the own field "%s" here: its type is %s', d.name, f.type)
from declared_fields d
join workgate.fields f on f.name = d.name and f.type <> d.type and (f.project_id is null or d.place is null or f.project_id = d.place)
order by d.line;

insert into workgate.fields (id, project_id, name, type)
select distinct on (d.name, d.place)
  case when exists (select from workgate.fields f where f.id = d.id) then workgate.new_id() else d.id end, d.place, d.name, d.type
from declared_fields d
where not exists (select from refused r where r.line = d.line and r.name = 'type')
  and not exists (select from workgate.fields f where f.name = d.name and (f.project_id is null or f.project_id = d.place))
-- All imports declare fields in the order of their names, which are locked. Those of all projects come first.
order by d.name, d.place nulls first, d.line;

-- "givenFields" are those of a tool, "fields" those of an export, which have their types.
create temporary table field_values on commit drop as
select
  i.project_id, i.id, i.line, p.id as place, f.key as name, f.value, btrim(f.value #>> '{}', E' \t\r\n\u00a0') as text, i.data ? 'givenFields' as is_given
from imported i
join target_projects p on p.imported_id = i.project_id
cross join lateral jsonb_each(coalesce(i.data -> 'givenFields', i.data -> 'fields')) f
where i.kind = 'task'
  and f.value <> 'null';
analyze field_values;

create temporary table field_types on commit drop as
select
  v.place, v.name, f.type is null as is_new,
  coalesce(f.type, case
    -- Version 1.10 is not 1.1, and after the sprint 7 there can be one with a name.
    when bool_and(v.is_given and v.kind <> 'list')
      and regexp_replace(v.name, '([A-Z])', ' \1', 'g') ~* '\m(sprint|iteration|cycle|milestone|epic|version|release|build)s?$' then 'text'
    when min(v.kind) = max(v.kind) or not bool_or(v.is_given) then mode() within group (order by v.kind)
    when bool_or(v.kind = 'list') then 'list'
    else 'text'
  end) as type
from (
  select
    place, name, is_given,
    case jsonb_typeof(value)
      when 'number' then 'number'
      when 'boolean' then 'boolean'
      when 'array' then 'list'
      else case
        when is_given and text ~ '^-?((0|[1-9]\d{0,8})(\.\d{1,4}|,(\d{1,2}|\d{4}))?|1000000000)$' then 'number'
        when is_given and lower(text) in ('true', 'false') then 'boolean'
        when workgate.is_of_type(value, 'date') then 'date'
        else 'text'
      end
    end as kind
  from field_values
) v
left join workgate.fields f on f.name = v.name and (f.project_id is null or f.project_id = v.place)
group by v.place, v.name, f.type;
analyze field_types;

insert into workgate.fields (project_id, name, type)
select place, name, type from field_types where is_new order by name, place;

insert into results
select
  'note', 'own fields were declared (' || (array_to_string((array_agg(distinct name || ': ' || type))[1:20], ', '))
    || case when count(*) > 20 then ', …' else '' end || ')', count(*)
from field_types
where is_new
having count(*) > 0;

update field_values v
set value = case t.type
  when 'number' then case
    when v.text ~ '^-?\d{1,10}([.,]\d{1,20})?$' then to_jsonb(round(replace(v.text, ',', '.')::numeric, 4))
    else v.value
  end
  when 'boolean' then case
    when lower(v.text) in ('true', 'yes', '1') then 'true'
    when lower(v.text) in ('false', 'no', '0') then 'false'
    else v.value
  end
  when 'date' then case
    when v.text ~ '^\d{4}-\d\d-\d\d[T ]' then to_jsonb(left(v.text, 10))
    else v.value
  end
  when 'list' then case jsonb_typeof(v.value)
    when 'array' then v.value
    else to_jsonb(array_remove(regexp_split_to_array(v.text, '\s*;\s*'), ''))
  end
  else case jsonb_typeof(v.value)
    when 'array' then to_jsonb((select string_agg(e, ', ') from jsonb_array_elements_text(v.value) e))
    else to_jsonb(v.value #>> '{}')
  end
end
from field_types t
where v.is_given
  and t.place = v.place
  and t.name = v.name
  and not workgate.is_of_type(v.value, t.type);

insert into refused
select v.line, 'fields.' || v.name, v.text, format('must be a value of the type %s, which is declared for this own field', t.type)
from field_values v
join field_types t on t.place = v.place and t.name = v.name
where not workgate.is_of_type(v.value, t.type);

delete from imported i
using refused r
where i.kind = 'task'
  and i.line = r.line
  and r.name like 'fields.%';

update imported i
set data = jsonb_set(i.data, '{givenFields}', i.data -> 'givenFields' || v.given)
from (
  select project_id, id, jsonb_object_agg(name, value) as given
  from field_values
  where is_given
  group by project_id, id
) v
where i.kind = 'task'
  and i.project_id = v.project_id
  and i.id = v.id;
