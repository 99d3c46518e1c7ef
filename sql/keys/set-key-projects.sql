-- workgate keys projects
select workgate.set_key_projects(:name, :projectIds::uuid[])
