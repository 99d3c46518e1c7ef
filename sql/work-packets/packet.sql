-- GET /projects/:projectId/tasks/:taskId/work-packet, …/work-packet/verification
-- Reads everything that is stored about a task, from one snapshot. Scans tasks_by_parent, comments_by_task,
-- files_by_task, documents_by_task, time_entries_by_task and task_history_pkey.
-- The last deletion tells what became of a task that does not exist. Scans journal_by_object.
select
  exists (select from workgate.projects where id = :projectId::uuid) as "projectFound",
  (
    select row_to_json(packet)
    from (
      select
        (
          {{taskJson}}
          || ',"tags":' || (
            {{taskTags}}
          )
          || ',"watchers":' || (
            {{taskWatchers}}
          )
          || '}'
        )::json as task,
        (
          select json_build_object('id', p.id, 'key', p.key, 'name', p.name, 'status', p.status)
          from workgate.projects p
          where p.id = :projectId
        ) as project,
        (
          select json_build_object('id', b.id, 'name', b.name, 'archived', b.archived)
          from workgate.boards b
          where b.project_id = :projectId
            and b.id = t.board_id
        ) as board,
        (
          select json_build_object('id', s.id, 'name', s.name, 'category', s.category, 'position', s.position)
          from workgate.stages s
          where s.project_id = :projectId
            and s.id = t.stage_id
        ) as stage,
        (
          select json_build_object(
            'id', a.id,
            'number', a.number,
            'reference', (select key from workgate.projects where id = :projectId) || '-' || a.number,
            'title', a.title,
            'state', a.state)
          from workgate.tasks a
          where a.project_id = :projectId
            and a.id = t.parent_id
        ) as parent,
        (
          select json_build_object(
            'total', count(*),
            'completed', count(*) filter (where state = 'completed'),
            'items', coalesce(
              json_agg(
                json_build_object(
                  'id', id, 'number', number,
                  'reference', (select key from workgate.projects where id = :projectId) || '-' || number,
                  'title', title, 'state', state, 'stageId', stage_id,
                  'assigneeId', assignee_id, 'completedAt', workgate.iso(completed_at))
                order by n)
                filter (where n <= 50),
              '[]'),
            'truncated', count(*) > 50)
          from (
            select
              c.id, c.number, c.title, c.state, c.stage_id, c.assignee_id, c.completed_at,
              row_number() over (order by c.number, c.id) as n
            from (
              select id, number, title, state, stage_id, assignee_id, completed_at
              from workgate.tasks
              where project_id = :projectId
                and parent_id = t.id
              offset 0
            ) c
          ) children
        ) as subtasks,
        (
          select json_build_object('total', count(*), 'lastAt', workgate.iso(max(c.updated_at)))
          from workgate.comments c
          where c.project_id = :projectId
            and c.task_id = t.id
        ) as comments,
        files.items as files,
        files.truncated as "filesTruncated",
        documents.items as documents,
        documents.truncated as "documentsTruncated",
        (
          select json_build_object(
            'trackedSeconds', coalesce(sum(e.duration_seconds), 0),
            'billableSeconds', coalesce(sum(e.duration_seconds) filter (where e.billable), 0),
            'entries', count(e.ended_at),
            'running', count(*) - count(e.ended_at))
          from workgate.time_entries e
          where e.project_id = :projectId
            and e.task_id = t.id
        ) as time,
        (
          select json_build_object(
            'items', coalesce(
              json_agg(
                json_build_object(
                  'version', version, 'at', workgate.iso(at), 'channel', channel, 'actor', actor, 'changes', changes)
                order by version desc)
                filter (where n <= 50),
              '[]'),
            'truncated', count(*) > 50)
          from (
            select h.version, h.at, h.channel, h.actor, h.changes, row_number() over (order by h.version desc) as n
            from workgate.task_history h
            where h.project_id = :projectId
              and h.task_id = t.id
            order by h.version desc
            limit 51
          ) last_changes
        ) as history,
        t.version
      from workgate.tasks t
      cross join lateral (
        select
          coalesce(
            json_agg(json_build_object('name', name, 'sizeBytes', size_bytes, 'sha256', sha256) order by n)
              filter (where n <= 50),
            '[]') as items,
          count(*) > 50 as truncated
        from (
          select f.name, f.size_bytes, f.sha256, row_number() over (order by f.created_at desc, f.id desc) as n
          from workgate.files f
          where f.project_id = :projectId
            and f.task_id = t.id
          order by f.created_at desc, f.id desc
          limit 51
        ) last_files
      ) files
      cross join lateral (
        select
          coalesce(json_agg(row_to_json(item) order by n) filter (where n <= 50), '[]') as items,
          count(*) > 50 as truncated
        from (
          select row_number() over (order by d.updated_at desc, d.id desc) as n, f as item
          from (
            select
              id, project_id, path, title, task_id, author_id, size_bytes, word_count, headings, sha256, revision,
              created_at, updated_at
            from workgate.documents
            where project_id = :projectId
              and task_id = t.id
            offset 0
          ) d
          cross join lateral (
            select
              {{documentFields}}
          ) f
          order by d.updated_at desc, d.id desc
          limit 51
        ) last_documents
      ) documents
      where t.project_id = :projectId
        and t.id = :taskId::uuid
    ) packet
  )::text as packet,
  (
    {{deletion}}
  )::text as deletion
