// POST /projects

import * as v from 'valibot'
import { stageCategories } from '../values.ts'
import { choiceOf, day, dueNotBeforeStart, fields, id, listOf, optional, text } from '../writes/fields.ts'
import { write } from '../writes/write.ts'
import sql from '../../sql/projects/create-project.sql'

const stage = v.strictObject(
  {
    name: text(1, 200),
    category: choiceOf(stageCategories),
  },
  (issue) => (issue.expected === 'never' ? 'is unknown' : 'must be an object of name and category'),
)
const usualStages: v.InferInput<typeof stage>[] = [
  { name: 'To do', category: 'backlog' },
  { name: 'In progress', category: 'active' },
  { name: 'Done', category: 'done' },
]
const stages = v.pipe(listOf(stage, 20, 'stages'), v.minLength(1, 'must have at least 1 stage'))
const keyForm = 'must be 2 to 10 of the characters A-Z and 0-9, the first a letter'

const body = v.pipe(
  fields({
    name: text(1, 200),
    key: optional(v.pipe(v.string(keyForm), v.regex(/^[A-Z][A-Z0-9]{1,9}$/, keyForm))),
    description: optional(text(0, 20_000)),
    ownerId: optional(id),
    startDate: optional(day),
    dueDate: optional(day),
    stages: v.nullish(stages, usualStages),
  }),
  v.forward(v.partialCheck([['startDate'], ['dueDate']], dueNotBeforeStart, 'must not be before startDate'), [
    'dueDate',
  ]),
  v.metadata({
    ref: 'NewProject',
    examples: [
      {
        name: 'Spring campaign',
        key: 'SPRING',
        startDate: '2027-01-11',
        dueDate: '2027-04-30',
        stages: [
          { name: 'Ideas', category: 'backlog' },
          { name: 'At work', category: 'active' },
          { name: 'Published', category: 'done' },
        ],
      },
    ],
  }),
)

export const createProject = write({
  operation: 'create_project',
  status: 201,
  body,
  sql,
  params: ({ key, body: { stages, ...project } }, again) => ({
    ...project,
    keyBase: keyBase(project.name),
    stageNames: stages.map(({ name }) => name),
    stageCategories: stages.map(({ category }) => category),
    allProjects: key.scopeMode === 'all_projects',
    projectIds: key.projectIds,
    again,
  }),
  headers: ({ id }, _, path) => ({ location: `${path}/${id}` }),
})

/** The first letters of a name: "Ångström's lab" gives ANGS. With a number behind it, it still fits into a key. */
function keyBase(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/^[0-9]+/, '')
  return letters.length < 2 ? `${letters}PROJECT`.slice(0, 4) : letters.slice(0, 4)
}
