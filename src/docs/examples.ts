// Reads the example of each operation: request and response bodies of the real service with the demo data.
// test/docs/examples.test.ts writes examples.json and checks that it is up to date.

import stored from './examples.json' with { type: 'json' }

export interface Example {
  /** The request body, if there is one. */
  request?: unknown
  /** The response body. */
  response: unknown
}

/** Examples by operationId. */
export const examples: Readonly<Record<string, Example | undefined>> = stored
