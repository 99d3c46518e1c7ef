// Makes pages of lists end by a smaller number of bytes than that of the service.

import type { ChangeDatabase } from './workgate.ts'

/** For each page, `maxBytes` returns the number, or undefined for that of the service. */
export function endPagesEarly(maxBytes: () => number | undefined): ChangeDatabase {
  return (db) => ({
    ...db,
    run(text, values = [], options) {
      const [, number] = /\bbytes <= \$(\d+)/.exec(text) ?? []
      const bytes = number && maxBytes()
      return db.run(text, bytes ? values.with(Number(number) - 1, bytes) : values, options)
    },
  })
}
