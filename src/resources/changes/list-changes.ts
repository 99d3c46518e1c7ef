// GET /changes, GET /projects/:projectId/changes

import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Key } from '../../api/access/key.ts'
import { lines, noView, readEndpoint } from '../../api/endpoint.ts'
import { directory, keyScopeOf } from '../../api/freshness/freshness.ts'
import { integerUpTo, secondsToWait } from '../../api/input/query-string.ts'
import { choice } from '../../api/lists/filters.ts'
import { described } from '../../api/responses/response-schemas.ts'
import { changePage, kinds, maxChanges } from './change.ts'
import { readChanges, type Feed } from './read-changes.ts'

const querySchema = v.object({
  cursor: described(
    v.optional(v.string()),
    'The `meta.cursor` of an earlier response: returns what has changed since. Without it, all objects come first.',
  ),
  from: described(
    v.optional(v.picklist(['now'], 'must be now')),
    '`now`: start with the changes that follow, without a cursor.',
  ),
  kinds: described(choice(kinds), 'The kinds of objects; by default all. The end of a project is always included.'),
  limit: described(
    v.optional(integerUpTo(maxChanges), '100'),
    'The maximum number of changes; fewer if they are long.',
  ),
  wait: secondsToWait('a change after the cursor'),
})

const common = {
  query: querySchema,
  response: changePage,
  responseHeaders: ['link'],
  refusals: ['INVALID_CURSOR', 'CURSOR_EXPIRED'],
  needsPrimary: true,
} as const

export const listChanges = readEndpoint({
  docs: {
    operationId: 'listChanges',
    tag: 'Changes',
    summary: 'List changes',
    description: lines(
      'Returns every object of a project and then whatever changes, deletions included, so that you can keep a copy of it.',
      '',
      '- Without `cursor`, the response begins with all objects. With the `meta.cursor` of an earlier response, it contains',
      '  the objects that have changed since, each as it is now. Keep the cursor with the copy, and repeat.',
      '- `hasMore` is true if there is more already. A response can be empty even then.',
      '- With `wait` (seconds, up to 30), a response without changes is held until there is one, or the time runs out.',
      '- Nothing is missed: changes by anybody, in transactions of any length, with any `updatedAt`.',
      '- `410 CURSOR_EXPIRED` means that changes since the cursor are no longer known, and `reason` why. Start again',
      '  without a cursor.',
      '',
      '[Keep a copy](/docs/changes) explains it, with a client in 30 lines.',
    ),
  },
  ...common,
  view: noView,
  read: (request, db) => readChanges(request, { projectIds: [request.projectId!], selection: 0 }, db),
  concerns:
    ({ projectId }) =>
    (scope) =>
      scope === projectId || scope === directory,
})

/** The selection of a stored key is read with its changes. That of a key from the environment only changes with its settings. */
const feed = {
  of({ id, firstId, reach, createdAt }: Key): Feed {
    if (reach === null) return { all: true, selection: digestOf('all') }
    if (createdAt === null) return { projectIds: reach, selection: digestOf(reach.join()) }
    return { keyId: id, selection: digestOf(firstId) }
  },
  digest: (key: Key) => `${key.digests.reach} ${feed.of(key).selection}`,
}

const digestOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE()

export const listChangesAcrossProjects = readEndpoint({
  docs: {
    operationId: 'listChangesAcrossProjects',
    tag: 'Changes',
    summary: 'List changes across projects',
    description: lines(
      'Returns every object of all projects that the key can access, one project after another, and then whatever changes,',
      'like the changes of one project.',
      '',
      '- A project that the key can access from now on, or that is created, comes with everything in it.',
      '- A project that it cannot access any more is one change with `op` `out_of_scope`: delete everything in it.',
      '- The cursor belongs to the key, also after it was rotated. With another key, start again.',
    ),
  },
  ...common,
  view: feed,
  read: (request, db) => readChanges(request, request.view, db),
  concerns: ({ key }) => {
    const keyScope = keyScopeOf(key.firstId)
    return (scope) => scope === directory || scope === keyScope || key.canReach(scope)
  },
})
