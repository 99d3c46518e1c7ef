// Describes the groups of operations, in the order of the routes.

import type { Tag } from '../api/endpoint.ts'

const descriptions: Record<Tag | 'Service', string> = {
  Key: 'The current API key and its permissions.',
  Projects: 'The projects that the key can access.',
  People: 'The users and teams of a project.',
  Boards: 'The boards of a project, and the stages through which tasks move.',
  Tasks: 'The tasks of a project or of several, in every state.',
  'Work packets':
    'Everything that is stored about a task, and verification of its state: [proof that a change was committed](/docs/verification).',
  Comments: 'Comments on tasks, and the metadata of their files.',
  'Time entries': 'Time tracked on tasks.',
  Documents: 'Document metadata, without the text.',
  Analytics: 'Exact figures, computed from the current data. See [their definitions](/docs/analytics).',
  Service: 'Health checks. They need no key.',
}

export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }))
