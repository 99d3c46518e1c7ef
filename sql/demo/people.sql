-- workgate demo: plans users and teams.

-- Given and family names of a person come from the same culture. "native=roman" if the e-mail address spells the name
-- differently.
create temp table cultures (n integer, given text[], family text[], family_first boolean);
insert into cultures
values
  (0, '{Amara,Chidi,Ngozi,Emeka,Ifeoma,Tunde}', '{Okafor,Adeyemi,Nwosu,Balogun,Eze,Obi}', false),
  (1, '{Linnéa=linnea,Björn=bjorn,Åsa=asa,Søren=soren,Freja,Mikkel}',
    '{Sjöberg=sjoberg,Nyström=nystrom,Østergaard=ostergaard,Lindqvist,Hägg=hagg,Aalto}', false),
  (2, '{結衣=yui,大輔=daisuke,さくら=sakura,健太=kenta,美咲=misaki,翔=sho}',
    '{田中=tanaka,渡辺=watanabe,高橋=takahashi,小林=kobayashi,山本=yamamoto,森=mori}', true),
  (3, '{María José=maria.jose,Íñigo=inigo,Lucía=lucia,Andrés=andres,Ximena,Joaquín=joaquin}',
    '{Muñoz=munoz,García Peña=garcia.pena,Ibáñez=ibanez,Vega,Cárdenas=cardenas,Rojas}', false),
  (4, '{فاطمة=fatima,يوسف=youssef,ليلى=layla,عمر=omar,نور=nour,سلمى=salma}',
    '{حداد=haddad,المصري=elmasry,منصور=mansour,خليل=khalil,الشامي=elshamy,نجار=najjar}', false),
  (5, '{Siobhán=siobhan,Oisín=oisin,Gwen,Callum,Niamh,Rhys}',
    '{O’Brien=obrien,Ó Dónaill=odonaill,Pritchard,McAllister,Byrne,Llewellyn}', false),
  (6, '{Priya,Arjun,Meera,Vikram,Ananya,Rohan}', '{Raghunathan,Iyer,Chatterjee,Deshpande,Menon,Kapoor}', false),
  (7, '{Zoë=zoe,François=francois,Maëlle=maelle,Théo=theo,Aurélie=aurelie,Benoît=benoit}',
    '{Lefèvre=lefevre,Dubois,Gagné=gagne,Moreau,Côté=cote,Rousseau}', false),
  (8, '{欣怡=xinyi,伟=wei,雨涵=yuhan,浩然=haoran,静=jing,子轩=zixuan}',
    '{陈=chen,林=lin,王=wang,黄=huang,周=zhou,吴=wu}', true),
  (9, '{Agnieszka,Michał=michal,Zofia,Łukasz=lukasz,Jadwiga,Paweł=pawel}',
    '{Wiśniewska=wisniewska,Wójcik=wojcik,Król=krol,Zając=zajac,Nowak,Dudek}', false),
  (10, '{Olena,Тарас=taras,Дарина=daryna,Andriy,Solomiya,Богдан=bohdan}',
    '{Шевченко=shevchenko,Kovalenko,Бондар=bondar,Melnyk,Lysenko,Мороз=moroz}', false),
  (11, '{Ayşe=ayse,Emre,Çağla=cagla,Oğuz=oguz,Deniz,Gülşen=gulsen}',
    '{Yılmaz=yilmaz,Öztürk=ozturk,Demir,Şahin=sahin,Aksoy,Koç=koc}', false),
  (12, '{지우=jiwoo,민준=minjun,서연=seoyeon,하준=hajun,은지=eunji,도윤=doyun}',
    '{김=kim,박=park,이=lee,최=choi,정=jung,윤=yoon}', true),
  (13, '{Grace,Marcus,Hannah,Devon,Ruth,Theodore}', '{Whitaker,Johnson,Goldberg,Baptiste,Ashworth,Kim-Reyes}', false);

-- joined and gone are ticks of the clock.
create temp table people (
  n           integer primary key,
  id          uuid not null,
  name        text not null,
  email       text not null,
  joined      float8 not null,
  gone        float8 not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null
);

insert into people
select n, pg_temp.id(0, 'user ' || email), name, email, joined, gone,
  pg_temp.moment(start, joined), pg_temp.moment(latest, changed)
from (
  select person.n, joined, gone,
    case when family_first then family_name || ' ' || given_name else given_name || ' ' || family_name end as name,
    address_given || '.' || address_family || '@example.org' as email,
    case
      when gone < 'infinity' then gone
      when pg_temp.dice(person.n, 'changed') < 0.3 then joined + (ticks - joined) * pg_temp.dice(person.n, 'changed when')
      else joined
    end as changed
  from (
    select n, ticks,
      case
        when n <= people * 7 / 10 then 40 * pg_temp.dice(n, 'joined')
        else ticks * (0.05 + 0.8 * pg_temp.dice(n, 'joined'))
      end as joined,
      case when n % 13 = 0 then ticks * (0.87 + 0.1 * pg_temp.dice(n, 'gone')) else 'infinity' end as gone,
      n % 14 as culture,
      1 + n / 14 % 6 as nth_given,
      1 + (n / 14 + n / 84) % 6 as nth_family
    from brief
    cross join lateral generate_series(1, people) as n
    cross join (select count(*)::integer as ticks from clock) as year
  ) as person
  join cultures on cultures.n = culture
  cross join lateral (
    select
      split_part(given[nth_given], '=', 1) as given_name,
      split_part(family[nth_family], '=', 1) as family_name,
      coalesce(nullif(split_part(given[nth_given], '=', 2), ''), lower(given[nth_given])) as address_given,
      coalesce(nullif(split_part(family[nth_family], '=', 2), ''), lower(family[nth_family])) as address_family
  ) as words
) as person
join clock start on start.tick = floor(joined)
join clock latest on latest.tick = floor(changed);

-- Every seventh person is also in a second team.
create temp table crews (n integer primary key, id uuid not null, made_at timestamptz not null);
insert into crews
select n, pg_temp.id(0, 'team ' || n), made_at
from brief
cross join lateral generate_series(1, teams) as n
join clock on tick = 5 + 7 * n
cross join lateral (select date_trunc('milliseconds', at) as made_at) as made;

create temp table crew_members (team_id uuid not null, user_id uuid not null, joined_at timestamptz not null);
insert into crew_members
select crews.id, people.id, greatest(crews.made_at, people.created_at)
from brief
cross join people
join crews on crews.n = 1 + people.n % teams
  or (people.n % 7 = 0 and crews.n = 1 + (people.n + 2) % teams);
