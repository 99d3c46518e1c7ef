// GET /key

import * as v from 'valibot'
import { jsonResponse } from '../../api/responses/response.ts'
import { lines, readEndpoint, wholeKey } from '../../api/endpoint.ts'
import { dataBody, described, id, moment, named, text, whole } from '../../api/responses/response-schemas.ts'
import { operations, scopeModes } from '../../api/access/key.ts'

export const keySchema = named('Key', 'An API key and its permissions. Reading within its scope is always allowed.', {
  id: described(
    v.pipe(v.string(), v.regex(/^([0-9a-z]{12}|env:.+)$/)),
    'The 12 characters after `wg_` in the key, or `env:` and the name of a key that is configured in the environment.',
  ),
  name: text(1, 100),
  scopeMode: v.picklist(scopeModes),
  projectIds: described(v.nullable(v.array(id)), 'The projects that the key can access; `null` for `all_projects`.'),
  operations: described(v.array(v.picklist(operations)), 'The write operations granted to the key.'),
  rateLimitPerMinute: described(
    v.nullable(whole(1, 1_000_000)),
    'Requests per minute; `null` for the default of the service.',
  ),
  expiresAt: v.nullable(moment),
  createdAt: described(v.nullable(moment), '`null` for a key from the environment.'),
})

export const getKey = readEndpoint({
  docs: {
    operationId: 'getKey',
    tag: 'Key',
    summary: 'Get the current key',
    description: lines(
      'Returns the name and the permissions of the key that authenticates this request. Use it to test a key. It works',
      'with every valid key, including one that can access no project.',
    ),
  },
  query: v.object({}),
  response: dataBody(keySchema),
  view: wholeKey,
  async read({ view }) {
    const { id, name, scopeMode, reach, operations, rateLimitPerMinute, expiresAt, createdAt } = view
    const data = { id, name, scopeMode, projectIds: reach, operations, rateLimitPerMinute, expiresAt, createdAt }
    return jsonResponse(JSON.stringify({ data }))
  },
})
