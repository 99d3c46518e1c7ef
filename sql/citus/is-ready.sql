-- On a node, after a statement in a place did not find its tables: whether the place is still there.
select workgate_places.ready_places(array[:place::bigint]) <> '{}' as ready
