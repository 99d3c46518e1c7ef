// Defines the response schema of changes.

import * as v from 'valibot'
import {
  described,
  extensible,
  id,
  listUpTo,
  moment,
  named,
  whole,
  writer,
} from '../../api/responses/response-schemas.ts'

/** In the order of their ranks in workgate.kinds, in which a reader gets them at the beginning. */
export const kinds = [
  'project',
  'user',
  'team',
  'board',
  'stage',
  'task',
  'comment',
  'file',
  'time_entry',
  'document',
] as const
export const events = ['created', 'updated', 'completed', 'cancelled', 'reopened', 'deleted'] as const
export const maxChanges = 1_000

const change = named('Change', 'A change of an object, with the object as it is now.', {
  kind: described(extensible(v.picklist(kinds)), 'The kind of the object.'),
  op: described(
    extensible(v.picklist(['upsert', 'delete', 'out_of_scope'])),
    '`upsert`: store `object` in place of what you have; `delete`: the object is gone, and with a project everything in it; `out_of_scope`: the same for a project that the key cannot access any more.',
  ),
  projectId: id,
  id,
  event: described(
    v.nullable(extensible(v.picklist(events))),
    'The event. If an object has changed several times, the last event that is not an update. `null` at the beginning, and for changes of what the key can access.',
  ),
  at: described(v.nullable(moment), 'When the change was made; `null` at the beginning.'),
  by: described(v.nullable(writer), 'The writer; `null` at the beginning, and for changes of what the key can access.'),
  fields: described(
    v.nullable(v.array(v.string())),
    'The names of the fields that have changed, except `updatedAt` and `version`; `null`: any of them may have.',
  ),
  object: described(
    v.nullable(v.record(v.string(), v.unknown())),
    'The object as in the list of its kind, with `tags` and `watchers` of tasks, with `files` of comments, and without the counts of boards, stages and teams. `null` if it was deleted.',
  ),
})

const cursor = v.pipe(v.string(), v.regex(/^[A-Za-z0-9~-]+$/))

export const changePage = v.pipe(
  v.object({
    data: listUpTo(maxChanges, change),
    meta: named('ChangesMeta', 'Where to continue.', {
      limit: described(whole(1, maxChanges), 'The maximum number of changes in a response.'),
      cursor: described(cursor, 'Keep it. Send it as `cursor`, now or later, to get what follows.'),
      nextCursor: described(v.nullable(cursor), 'The same value if there is more already, otherwise `null`.'),
      hasMore: described(v.boolean(), 'True if there is more already.'),
    }),
  }),
  v.metadata({ ref: 'ChangePage' }),
)
