-- The object o of a change as JSON text, as in the lists, with tags, watchers and files. Null if it does not exist.
case workgate.kind_of(o.rank)
  when 'project' then (
    select (select row_to_json(f)::text from (select {{projectFields}}) f)
    from workgate.projects p
    where p.id = o.project
      and p.id = o.id
  )
  when 'user' then (
    select (select row_to_json(f)::text from (select {{userFields}}) f)
    from workgate.project_members m
    join workgate.users u on u.id = m.user_id
    where m.project_id = o.project
      and m.user_id = o.id
  )
  when 'team' then (
    select (select row_to_json(f)::text from (select {{teamFields}}) f)
    from workgate.project_teams pt
    join workgate.teams t on t.id = pt.team_id
    where pt.project_id = o.project
      and pt.team_id = o.id
  )
  when 'board' then (
    select (select row_to_json(f)::text from (select {{boardFields}}) f)
    from workgate.boards b
    where b.project_id = o.project
      and b.id = o.id
  )
  when 'stage' then (
    select (select row_to_json(f)::text from (select {{stageFields}}) f)
    from workgate.stages s
    where s.project_id = o.project
      and s.id = o.id
  )
  when 'task' then (
    select {{taskJson}}
      || ',"tags":' || (
        {{taskTags}}
      )
      || ',"watchers":' || (
        {{taskWatchers}}
      )
      || '}'
    from workgate.tasks t
    where t.project_id = o.project
      and t.id = o.id
  )
  when 'comment' then (
    select left((select row_to_json(f)::text from (select {{commentFields}}) f), -1)
      || ',"files":' || (
        {{commentFiles}}
      )
      || '}'
    from workgate.comments c
    where c.project_id = o.project
      and c.id = o.id
  )
  when 'time_entry' then (
    select (select row_to_json(f)::text from (select {{timeEntryFields}}) f)
    from workgate.time_entries t
    where t.project_id = o.project
      and t.id = o.id
  )
  when 'document' then (
    select (select row_to_json(f)::text from (select {{documentFields}}) f)
    from workgate.documents d
    where d.project_id = o.project
      and d.id = o.id
  )
end
