-- workgate keys revoke
select workgate.revoke_key(:name)
