-- workgate distribute, on the coordinator: the triggers to be created on shards.
select coalesce(json_agg(t), '[]')::text as triggers from workgate_places.triggers t
