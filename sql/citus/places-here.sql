-- On a node, after everything acknowledged has been committed there: the places among these that it has.
select array_to_json(workgate.places_here(:places::bigint[]))::text as places
