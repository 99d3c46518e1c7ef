-- On each node: the names of tables and functions in its places.
select place::integer as place, names::text as names from workgate_places.places
