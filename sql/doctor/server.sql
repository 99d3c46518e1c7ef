-- workgate doctor: which PostgreSQL it is.
select current_setting('server_version') as version, current_database() as database, current_user as role
