-- On a node: the places among these that it has.
select
  array_to_json(workgate_places.ready_places(:places::bigint[]))::text as places,
  workgate_places.is_in_doubt(pg_current_snapshot()) as in_doubt
