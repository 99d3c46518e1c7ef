-- On a node, after everything acknowledged has been committed there: the places among these that it has.
select array_to_json(workgate_places.ready_places(:places::bigint[]))::text as places
