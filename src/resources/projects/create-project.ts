// POST /projects

import * as v from 'valibot'
import { include } from '../../db/statements/template.ts'
import { maxSelectedProjects } from '../../api/access/key.ts'
import { lines } from '../../api/endpoint.ts'
import { deriveKeyBase, projectKeyPattern, projectKeyRule } from '../../api/input/object-names.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { stageCategories } from '../../api/input/values.ts'
import { choiceOf, day, dueNotBeforeStart, fields, id, listOf, optional, text } from '../../api/writes/fields.ts'
import { writeEndpoint } from '../../api/writes/write.ts'
import { project } from './project.ts'
import sql from '../../../sql/projects/create-project.sql'
import projectFields from '../../../sql/projects/project-fields.sql'

const stage = v.pipe(
  v.strictObject(
    {
      name: text(1, 200),
      category: choiceOf(stageCategories),
    },
    ({ expected }) => {
      if (expected === 'Object') return 'must be an object of name and category'
      return expected === 'never' ? 'is unknown' : 'is missing'
    },
  ),
  v.metadata({ ref: 'StageInput' }),
)
const defaultStages: v.InferInput<typeof stage>[] = [
  { name: 'To do', category: 'backlog' },
  { name: 'In progress', category: 'active' },
  { name: 'Done', category: 'done' },
]
const stages = v.pipe(listOf(stage, 20, 'stages'), v.minLength(1, 'must have at least 1 stage'))

const body = v.pipe(
  fields({
    name: text(1, 200),
    key: optional(v.pipe(v.string(projectKeyRule), v.regex(projectKeyPattern, projectKeyRule))),
    description: optional(text(0, 20_000)),
    ownerId: optional(id),
    startDate: optional(day),
    dueDate: optional(day),
    stages: described(
      v.nullish(stages, defaultStages),
      `The stages of the board, from left to right. Default: ${defaultStages.map(({ name, category }) => `${name} (\`${category}\`)`).join(', ')}.`,
    ),
  }),
  v.forward(v.partialCheck([['startDate'], ['dueDate']], dueNotBeforeStart, 'must not be before startDate'), [
    'dueDate',
  ]),
  v.metadata({ ref: 'ProjectInput' }),
)

export const createProjectSql = include(sql, { projectFields })

export const createProject = writeEndpoint({
  operation: 'create_project',
  docs: {
    operationId: 'createProject',
    tag: 'Projects',
    summary: 'Create a project',
    description: lines(
      'Creates a project and returns it; `Location` contains its path. The API key needs the operation',
      '`create_project`.',
      '',
      '- The project has one board with the given `stages`, or To do, In progress and Done, so that you can create',
      '  tasks immediately.',
      '- Without `key`, the project gets an unused key derived from the letters of its name. A `key` that is already in',
      '  use fails with 409.',
      '- The owner becomes the first user of the project.',
      '- An API key for selected projects can access the projects that it creates, and can select at most',
      `  ${maxSelectedProjects}; the next one fails with 409. It can only name an owner who is a user of a project that`,
      '  it can access, and it [cannot choose `key`](/docs/keys#operations).',
      '',
      'Send an `Idempotency-Key` to make the request [safe to retry](/docs/idempotency): the project is created once.',
    ),
  },
  body,
  sql: createProjectSql,
  params: ({ key, body: { stages, ...project } }, isRetry) => ({
    ...project,
    keyBase: deriveKeyBase(project.name),
    stageNames: stages.map(({ name }) => name),
    stageCategories: stages.map(({ category }) => category),
    allProjects: key.scopeMode === 'all_projects',
    maxProjects: maxSelectedProjects,
    isRetry,
  }),
  refusals: ['PROJECT_KEY_TAKEN', 'PROJECT_LIMIT_REACHED', 'ACCESS_DENIED'],
  invalidFields: {
    key: 'cannot be chosen by an API key for selected projects; omit it to get a generated one',
    ownerId: 'is not a user visible to this key',
  },
  status: 201,
  item: project,
  headers: { location: ({ id }, _, path) => `${path}/${id}` },
})
