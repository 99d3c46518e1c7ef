// An answer to each operation, with the body that was sent for it, from the real service on the data of the demo.
// test/docs/examples.test.ts makes examples.json, and keeps it true.

import stored from './examples.json' with { type: 'json' }

export interface Example {
  /** The body, where one was sent. */
  request?: unknown
  /** The body of the answer. */
  answer: unknown
}

/** By operationId. */
export const examples: Readonly<Record<string, Example | undefined>> = stored
