-- A version is the sum of a number by chance for each change, no longer how many they are. What was seen can be lost: of a
-- session with synchronous_commit = off when PostgreSQL crashes, of a machine that is set back. What is changed then would
-- have the numbers of what was lost.

alter table workgate.changes
  add column chance integer not null default (1 + floor(random() * 2147483646))::integer;
comment on table workgate.versions is
  'The sum of the chances of all changes of a scope by transactions before this one, but for those that were running when it '
  'was folded. Use workgate.versions_of().';

create or replace function workgate.changes_anywhere(before xid8, but xid8[]) returns bigint
language plpgsql stable parallel safe
as $$
begin
  return (select coalesce(sum(c.chance), 0) from workgate.changes c where c.xid >= before)
    + (select coalesce(sum(c.chance), 0) from workgate.changes c where c.xid = any (but));
end
$$;

create or replace function workgate.versions_of(scopes uuid[]) returns table (place bigint, version bigint)
language sql stable parallel safe
as $$
  select a.place, coalesce(v.n, 0) + case
    when a.scope = 'ffffffff-ffff-ffff-ffff-ffffffffffff' then workgate.changes_anywhere(f.before, f.but)
    else
      (select coalesce(sum(c.chance), 0) from workgate.changes c where c.scope = a.scope and c.xid >= f.before)
      + (select coalesce(sum(c.chance), 0) from workgate.changes c where c.scope = a.scope and c.xid = any (f.but))
  end
  from unnest(scopes) with ordinality a (scope, place)
  left join workgate.versions v on v.scope = a.scope
  cross join lateral (
    -- What lies ahead comes from another cluster, where transactions had got further: it was restored here.
    select
      case when k.known then v.before else '0' end as before,
      case when k.known then v.but else '{}' end as but
    from (select v.before <= pg_snapshot_xmax(pg_current_snapshot()) as known) k
    offset 0
  ) f
$$;
comment on function workgate.versions_of(uuid[]) is
  'What is committed of each scope, as a number. Twice the same number means that nothing was committed in between.';

create or replace function workgate.fold_changes() returns void
language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  all_scopes constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  -- However many there are, a statement ends in time.
  most constant integer := 100000;
  folded workgate.versions;
begin
  -- Of two that fold at once the second could count for folded what the first has moved; and whoever has changed
  -- something would count for ended what it still changes.
  if pg_current_xact_id_if_assigned() is not null or not pg_try_advisory_xact_lock(1465336405) then
    return;
  end if;
  select * into folded from workgate.versions where scope = all_scopes;
  if folded.before > pg_snapshot_xmax(pg_current_snapshot()) then
    -- From another cluster. It has to go before transactions get as far here as they had there.
    update workgate.versions set before = '0', but = '{}';
    return;
  end if;
  with gone as (
    delete from workgate.changes
    where ctid = any (array(
      select ctid
      from workgate.changes
      where (xid >= coalesce(folded.before, '0') or xid = any (folded.but))
        -- Of a transaction that has ended all is in sight, or never will be.
        and pg_visible_in_snapshot(xid, pg_current_snapshot())
      limit most))
    returning scope, chance
  ),
  seen as (
    -- Where something may be left over, it is looked for where it was before.
    select
      case when is_all then pg_snapshot_xmax(pg_current_snapshot()) else coalesce(folded.before, '0') end as before,
      case when is_all then array(select pg_snapshot_xip(pg_current_snapshot())) else coalesce(folded.but, '{}') end as but
    from (select count(*) < most as is_all from gone) a
  )
  insert into workgate.versions as v (scope, n, before, but)
  select g.scope, g.n, s.before, s.but
  from (
    select scope, sum(chance) as n
    from (select scope, chance from gone union all select all_scopes, chance from gone) one
    group by scope
  ) g
  cross join seen s
  order by g.scope
  on conflict (scope) do update set n = v.n + excluded.n, before = excluded.before, but = excluded.but;
end
$$;
