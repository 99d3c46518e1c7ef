-- workgate distribute, and the service when it finds a place that is not settled.
select array_to_json(array(select workgate_places.settle()))::text as places
