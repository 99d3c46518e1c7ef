-- workgate demo: writes users and teams.

insert into workgate.users (id, name, email, active, created_at, updated_at)
select id, name, email, gone = 'infinity', created_at, updated_at
from people;

insert into workgate.teams (id, name, description, created_at, updated_at)
select id, name || case when n > 6 then ' ' || n / 6 + 1 else '' end, description, made_at, made_at
from crews
join (
  values
    (1, 'Web & Mobile', 'Everything that customers see and touch.'),
    (2, 'Platform', 'Services, data and the machines they run on. On call every fourth week.'),
    (3, 'Marketing', null),
    (4, 'Équipe Support', 'Answers customers in six languages, 07:00–22:00 UTC.'),
    (5, 'Localisation · 翻訳', 'Words, prices and holidays of other places. 翻訳と現地対応。'),
    (6, 'Operations', 'Office, finance, people and whatever nobody else wants to do 🙂')
) as names (nth, name, description) on nth = 1 + (n - 1) % 6;

insert into workgate.team_members (team_id, user_id, joined_at)
select team_id, user_id, joined_at
from crew_members;
