-- workgate migrate: records an applied migration
insert into workgate.migrations (name, checksum)
values (:name, :checksum)
