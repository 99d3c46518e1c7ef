-- workgate fields add
-- An index whose creation was interrupted is there, but of no use.
select
  workgate.add_field(:name::text, :type::text, :projectId::uuid),
  exists (
    select
    from pg_index i
    where i.indexrelid = to_regclass(format('workgate.%I', 'tasks_by_field_' || :name))
      and not i.indisvalid
  ) as "hasBrokenIndex"
