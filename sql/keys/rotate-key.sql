-- workgate keys rotate
select workgate.rotate_key(:name, :overlap::interval) as key
