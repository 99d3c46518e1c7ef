-- On the coordinator: the place of a project, whether or not the project exists.
select workgate_places.place_of(:projectId::uuid)::text as place
