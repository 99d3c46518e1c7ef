// The object of a change as JSON text, as in the list of its kind, with tags, watchers and files.

import { include } from '../../db/statements/template.ts'
import { taskJson } from '../tasks/task-json.ts'
import type { kinds } from './change.ts'
import boardFields from '../../../sql/boards/board-fields.sql'
import stageFields from '../../../sql/boards/stage-fields.sql'
import commentFields from '../../../sql/comments/comment-fields.sql'
import commentFiles from '../../../sql/comments/comment-files.sql'
import documentFields from '../../../sql/documents/document-fields.sql'
import fileFields from '../../../sql/files/file-fields.sql'
import teamFields from '../../../sql/people/team-fields.sql'
import userFields from '../../../sql/people/user-fields.sql'
import projectFields from '../../../sql/projects/project-fields.sql'
import taskTags from '../../../sql/tasks/task-tags.sql'
import taskWatchers from '../../../sql/tasks/task-watchers.sql'
import timeEntryFields from '../../../sql/time-entries/time-entry-fields.sql'

const row = (fields: string) => `(select row_to_json(r)::text from (select ${fields}) r)`
const inProject = (table: string, t: string) =>
  `workgate.${table} ${t} where ${t}.project_id = o.project and ${t}.id = o.id`

const selections: Record<(typeof kinds)[number], { json: string; from: string }> = {
  project: {
    json: row(projectFields),
    from: 'workgate.projects p where p.id = o.project and p.id = o.id',
  },
  user: {
    json: row(userFields),
    from: `workgate.project_members m
      join workgate.users u on u.id = m.user_id
      where m.project_id = o.project and m.user_id = o.id`,
  },
  team: {
    json: row(teamFields),
    from: `workgate.project_teams pt
      join workgate.teams t on t.id = pt.team_id
      where pt.project_id = o.project and pt.team_id = o.id`,
  },
  board: { json: row(boardFields), from: inProject('boards', 'b') },
  stage: { json: row(stageFields), from: inProject('stages', 's') },
  task: {
    json: `${taskJson} || ',"tags":' || (${taskTags}) || ',"watchers":' || (${taskWatchers}) || '}'`,
    from: inProject('tasks', 't'),
  },
  comment: {
    json: `left(${row(commentFields)}, -1) || ',"files":' || (${commentFiles}) || '}'`,
    from: inProject('comments', 'c'),
  },
  file: { json: row(fileFields), from: inProject('files', 'f') },
  time_entry: { json: row(timeEntryFields), from: inProject('time_entries', 't') },
  document: { json: row(documentFields), from: inProject('documents', 'd') },
}

const branches = Object.entries(selections).map(
  ([kind, { json, from }]) => `when '${kind}' then (select ${json} from ${from})`,
)

/** The object of row o with its project, rank and id. Null if it does not exist. */
export const object = include(`case workgate.kind_of(o.rank) ${branches.join('\n')} end`, { project: 'o.project' })
