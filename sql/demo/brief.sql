-- workgate demo: the options of the command.
insert into brief (until, projects, tasks, people, teams)
select :until::date, :projects::integer, :tasks::bigint, people, people / 6
from (select least(400, 40 + greatest(0, :tasks::bigint - 4000) / 2500) as people) as grown
