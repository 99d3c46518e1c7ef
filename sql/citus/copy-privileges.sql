-- workgate distribute, on every node: after privileges may have changed.
select workgate_places.copy_privileges(p.place) from workgate_places.places p
