-- workgate migrate
insert into workgate.migrations (name, checksum)
values (:name, :checksum)
