-- Own fields: what each team keeps about its tasks besides the fields that every task has, such as story points, a sprint or a
-- customer. workgate.fields declares them, and a trigger checks the values of tasks.

create function workgate.check_declaration() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  other text;
begin
  if tg_op = 'UPDATE' and (new.project_id, new.name, new.type) is distinct from (old.project_id, old.name, old.type) then
    raise exception using
      errcode = 'WG014',
      message = format('the declaration of the field "%s" cannot change', old.name),
      hint = 'Declare another field.';
  end if;
  -- The same name means the same wherever a task can have it.
  perform pg_advisory_xact_lock(1465336405, hashtext(new.name));
  select f.type into other
  from workgate.fields f
  where f.name = new.name
    and f.type <> new.type
    and (f.project_id is null or new.project_id is null)
  limit 1;
  if found then
    raise exception using
      errcode = 'WG014',
      message = format('the field "%s" is already declared with the type %s', new.name, other),
      hint = 'Choose another name, or this type.';
  end if;
  return new;
end
$$;

create trigger fields_check before insert or update on workgate.fields
  for each row execute function workgate.check_declaration();

create function workgate.add_field(name text, type text, project_id uuid default null) returns void
language plpgsql volatile
as $$
#variable_conflict use_column
begin
  if not exists (
      select
      from workgate.fields f
      where f.name = add_field.name
        and f.type = add_field.type
        and (f.project_id is null or f.project_id = add_field.project_id)) then
    insert into workgate.fields (project_id, name, type)
    values (add_field.project_id, add_field.name, add_field.type);
  end if;
end
$$;
comment on function workgate.add_field(text, text, uuid) is
  'Declares an own field of the tasks of a project, or of all. Does nothing if they can have it already.';

create function workgate.own_field(fields jsonb, name text) returns jsonb
language sql immutable parallel safe
return case when octet_length(fields ->> name) <= 800 then fields -> name end;
comment on function workgate.own_field(jsonb, text) is
  'The value of an own field, for filters and their indexes. Null if it is too long for an index: no filter has such values.';

create function workgate.is_of_type(value jsonb, type text) returns boolean
language plpgsql immutable parallel safe
as $$
declare
  word constant text := value #>> '{}';
begin
  -- One after the other, because the order of conditions in an expression is not that of their evaluation.
  case type
    when 'number' then
      if jsonb_typeof(value) <> 'number' then
        return false;
      end if;
      return value::numeric between -1000000000 and 1000000000 and scale(trim_scale(value::numeric)) <= 4;
    when 'boolean' then
      return jsonb_typeof(value) = 'boolean';
    when 'text' then
      return jsonb_typeof(value) = 'string' and char_length(word) <= 10000 and word ~ '\S';
    when 'date' then
      if jsonb_typeof(value) <> 'string' or word !~ '^(?!0000)\d{4}-\d\d-\d\d$' then
        return false;
      end if;
      return substring(word, 6, 2)::integer between 1 and 12
        and substring(word, 9, 2)::integer between 1 and
          extract(day from make_date(substring(word, 1, 4)::integer, substring(word, 6, 2)::integer, 1) + interval '1 month - 1 day');
    when 'list' then
      if jsonb_typeof(value) <> 'array' then
        return false;
      end if;
      return jsonb_array_length(value) between 1 and 100
        and not exists (
          select
          from jsonb_array_elements(value) e
          where jsonb_typeof(e.value) <> 'string' or char_length(e.value #>> '{}') > 10000 or e.value #>> '{}' !~ '\S');
  end case;
end
$$;
comment on function workgate.is_of_type(jsonb, text) is 'Returns whether an own field of a type can have a value.';

create function workgate.field_faults(project uuid, fields jsonb) returns table (name text, fault text)
language plpgsql stable
as $$
begin
  return query
  select e.key, coalesce(f.type, 'undeclared')
  from jsonb_each(fields) e
  left join workgate.fields f on f.name = e.key and (f.project_id is null or f.project_id = project)
  where e.value <> 'null'
    and (f.type is null or not workgate.is_of_type(e.value, f.type))
  group by e.key, f.type
  order by e.key;
end
$$;
comment on function workgate.field_faults(uuid, jsonb) is
  'The own fields that the tasks of a project cannot have, with the type that the value should have, or undeclared.';

create function workgate.fields_fit(fields jsonb) returns boolean
language plpgsql immutable parallel safe
as $$
begin
  return (select count(*) from jsonb_object_keys(fields)) <= 50 and octet_length(fields::text) <= 16384;
end
$$;
comment on function workgate.fields_fit(jsonb) is 'Returns whether a task can have so many own fields.';

create function workgate.check_fields() returns trigger
language plpgsql
security definer set search_path = pg_catalog, pg_temp
as $$
declare
  wrong record;
begin
  if jsonb_typeof(new.fields) <> 'object' then
    raise exception using errcode = 'check_violation', message = 'the own fields of a task must be a JSON object';
  end if;
  new.fields := (
    select jsonb_object_agg(e.key, case jsonb_typeof(e.value) when 'number' then to_jsonb(trim_scale(e.value::numeric)) else e.value end)
    from jsonb_each(new.fields) e
    where e.value <> 'null');
  if not workgate.fields_fit(new.fields) then
    raise exception using errcode = 'check_violation', message = 'a task can have at most 50 own fields, and 16 KB of them';
  end if;
  select * into wrong from workgate.field_faults(new.project_id, new.fields) limit 1;
  if found then
    raise exception using
      errcode = 'WG014',
      message = case wrong.fault
        when 'undeclared' then format('the own field "%s" of a task is not declared for its project', wrong.name)
        else format('the own field "%s" of a task has no value of the type %s', wrong.name, wrong.fault)
      end,
      hint = 'workgate.fields has the names and types, and workgate.add_field() declares a field.';
  end if;
  return new;
end
$$;

create trigger tasks_check_fields before insert or update of fields on workgate.tasks
  for each row when (new.fields is not null) execute function workgate.check_fields();
