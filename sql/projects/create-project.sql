-- POST /projects
-- Without a project key in the request, the key consists of the first letters of the name and, if necessary, a number. If
-- another writer takes that key at the same time, the statement runs again with a random number.

-- An API key for selected projects must not learn which keys other projects have, so its projects always get a random
-- number. The trigger add_projects_to_creating_key gives it access to the project.
keyed as materialized (
  select coalesce(
    :key::text,
    case when not :allProjects::boolean then :keyBase::text || to_char(floor(random() * 1000000), 'FM000000') end,
    (
      select candidate
      from (select :keyBase || case when n > 1 then n::text else '' end as candidate, n from generate_series(1, 99) n) c
      where :isRetry::boolean is false
        and not exists (select from workgate.projects where key = candidate)
      order by n
      limit 1
    ),
    :keyBase || floor(random() * 9000 + 1000)::text) as key
  from may_write
),
faults as materialized (
  select array(
    select 'key'
    where :key is not null
      and not :allProjects
    union all
    select 'ownerId'
    where :ownerId::uuid is not null
      and not exists (
        select from workgate.users u
        where u.id = :ownerId
          -- The owner must be visible to the key, because the project will show the owner's name and address.
          and (:allProjects or workgate.is_member(:ownerId, (select k.project_ids from workgate.api_keys k where k.id = :keyId))))
  ) as names
),
verdict as materialized (
  select
    case
      when f.names <> '{}' then 'VALIDATION_FAILED'
      when exists (select from workgate.projects where key = :key) then 'PROJECT_KEY_TAKEN'
      when not :allProjects and exists (
        -- The keys to which the trigger adds the project.
        select from workgate.api_keys k
        where coalesce(k.first_id, k.id) = :firstKeyId
          and (k.revoked_at is null or k.revoked_at > now())
          and cardinality(k.project_ids) >= :maxProjects::integer) then 'PROJECT_LIMIT_REACHED'
    end as refusal,
    f.names as faults,
    workgate.present() as at
  from may_write, faults f
),
created as (
  insert into workgate.projects_here (key, name, description, owner_id, start_date, due_date, created_at, updated_at)
  select k.key, :name::text, :description::text, :ownerId, :startDate::date, :dueDate::date, v.at, v.at
  from verdict v, keyed k
  where v.refusal is null
  returning *
),
owned as (
  insert into workgate.project_members (project_id, user_id, role)
  select id, owner_id, 'owner'
  from created
  where owner_id is not null
),
board as (
  insert into workgate.boards (project_id, name)
  select id, 'Board'
  from created
  returning project_id, id
),
staged as (
  insert into workgate.stages (project_id, board_id, name, position, category)
  select b.project_id, b.id, s.name, s.n - 1, s.category
  from board b, unnest(:stageNames::text[], :stageCategories::text[]) with ordinality as s (name, category, n)
),
outcome as (
  select
    v.refusal, v.faults,
    (
      select row_to_json(f)
      from (
        select
          {{projectFields}}
      ) f
    )::text as item
  from verdict v
  left join created p on true
  {{#idempotencyKey}}
  union all
  -- The stored response of an earlier request is sent again only if the key still has access to the project. The path
  -- contains no project, so this has to be checked here.
  select 'ACCESS_DENIED', null, null
  from earlier e
  where not :allProjects
    and not exists (
      select from workgate.api_keys k
      where k.id = :keyId
        and (e.body::json ->> 'id')::uuid = any (k.project_ids))
  {{/idempotencyKey}}
)
