// Describes the groups of operations, in the order of the routes.

import type { Tag } from '../api/endpoint.ts'

const descriptions: Record<Tag | 'Service', string> = {
  Key: 'The key that asks, and what it may.',
  Projects: 'The projects that the key reaches.',
  People: 'Who works on a project, and in which teams.',
  Boards: 'The boards of a project and their stages, through which tasks move.',
  Tasks: 'What is to be done, and what is done.',
  'Work packets':
    'All that is stored about a task, and whether it is as expected: [proof that a change has landed](/docs/verification).',
  Comments: 'What was said about tasks, and what is known of the files that go with it.',
  'Time entries': 'The time that was tracked on tasks.',
  Documents: 'Metadata of documents, never their text.',
  Analytics: 'Figures of what is stored now, exact: [what they mean](/docs/analytics).',
  Service: 'How the service is. Without a key.',
}

export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }))
