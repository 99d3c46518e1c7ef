-- GET /changes: the state of the journal, and its next entries, up to one more than the limit.
reading as materialized (
  select
    pg_current_snapshot() as now,
    workgate.current_epoch() as epoch,
    (
      select json_agg(encode(s.secret, 'hex'))
      from (select secret from workgate.cursor_secrets order by created_at desc) s
    )::text as secrets,
    -- Read after the snapshot was taken, so every commit that it contains was written before. It may not be flushed yet.
    case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() - '0/0' end as lsn,
    {{^all}}reach.projects as reach, reach.projects{{^projectsOnly}} || reach.others{{/projectsOnly}} as scopes,{{/all}}
    {{#all}}null::uuid[] as reach,{{/all}}
    {{#base}}
    coalesce(
      -- A reader knows no epoch of a node that came to its cluster later.
      {{#epoch}}workgate.epoch_expiry(:epoch::uuid, '0/0'::pg_lsn + :lsn::numeric),{{/epoch}}
      case when pg_snapshot_xmax(:base::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) then 'lost_commits' end,
      workgate.journal_expiry(:base, pg_current_snapshot()))
    {{/base}}
    {{^base}}
    null::text
    {{/base}} as expired
  {{^all}}
  from (
    {{^keyId}}select :projectIds::uuid[] as projects, array['00000000-0000-0000-0000-000000000000'::uuid] as others{{/keyId}}
    {{#keyId}}
    select
      coalesce(max(k.project_ids), '{}') as projects,
      array['00000000-0000-0000-0000-000000000000'::uuid, workgate.key_scope(coalesce(max(k.first_id), :keyId))] as others
    from workgate.api_keys k
    where k.id = :keyId
    {{/keyId}}
  ) reach
  {{/all}}
),
entries as materialized (
  {{#filling}}
  select
    xid8 '0' as xid, bigint '0' as seq, null::uuid as scope, 'contents' as kind, null::uuid as id, null as event,
    null::text[] as fields, null::timestamptz as at, null as channel, null::jsonb as actor
  from reading r
  where r.expired is null
  {{/filling}}
  {{^filling}}
  select e.xid, e.seq, e.scope, e.kind, e.id, e.event, e.fields, e.at, e.channel, e.actor
  from reading r
  {{^all}}cross join unnest(r.scopes) s (scope){{/all}}
  cross join lateral (
    {{#xid}}
    (
      select j.*
      from workgate.journal j
      where {{^all}}j.scope = s.scope{{/all}}{{#all}}j.kind not in ('entered', 'left'){{#projectsOnly}} and j.scope <> '00000000-0000-0000-0000-000000000000'{{/projectsOnly}}{{/all}}
        and j.xid = :xid::xid8
        and j.seq >= :seq::bigint
      order by j.seq
      limit :limit::integer + 1
    )
    {{/xid}}
    {{^xid}}
    (
      select j.*
      from pg_snapshot_xip(:base::pg_snapshot) running (xid)
      cross join lateral (
        select j.*
        from workgate.journal j
        where {{^all}}j.scope = s.scope{{/all}}{{#all}}j.kind not in ('entered', 'left'){{#projectsOnly}} and j.scope <> '00000000-0000-0000-0000-000000000000'{{/projectsOnly}}{{/all}}
          and j.xid = running.xid
        order by j.seq
        limit :limit::integer + 1
      ) j
      where pg_visible_in_snapshot(running.xid, r.now)
      order by j.xid, j.seq
      limit :limit + 1
    )
    union all
    (
      select j.*
      from workgate.journal j
      where {{^all}}j.scope = s.scope{{/all}}{{#all}}j.kind not in ('entered', 'left'){{#projectsOnly}} and j.scope <> '00000000-0000-0000-0000-000000000000'{{/projectsOnly}}{{/all}}
        and j.xid >= pg_snapshot_xmax(:base)
        and j.xid < pg_snapshot_xmax(r.now)
      order by j.xid, j.seq
      limit :limit + 1
    )
    {{/xid}}
  ) e
  where r.expired is null
  order by e.xid, e.seq
  limit :limit + 1
  {{/filling}}
)
