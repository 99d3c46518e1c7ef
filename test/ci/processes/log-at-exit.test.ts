// The log contains everything that happened before the process exits, although lines are written once per turn of the
// event loop. Runs against the artifact.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { databaseSuite } from '../../support/artifact-suite.ts'
import { startArtifact, type LogLine } from '../../support/workgate.ts'

const { url: DATABASE_URL } = await databaseSuite()

// Each runs in the turn of the event loop in which a request was logged.
// prettier-ignore
const endings: [name: string, code: string, message: string][] = [
  ['an uncaught error',        'process.nextTick(() => { throw new Error("thrown on purpose") })',                'request'],
  ['an unhandled rejection',   'throw new Error("thrown on purpose")',                                            'request'],
  ['process.exit()',           'process.exit(1)',                                                                 'request'],
  ['SIGTERM',                  'process.kill(process.pid, "SIGTERM")',                                            'stopped'],
  ['Ctrl+C, which npm repeats', 'process.kill(process.pid, "SIGINT"); process.kill(process.pid, "SIGINT")',         'stopped'],
  ['a second signal',          'process.kill(process.pid, "SIGTERM"); process.kill(process.pid, "SIGINT")',       'stopping'],
]

for (const [name, code, message] of endings) {
  test(`after ${name}, the last line is in the log`, async () => {
    const preload = `import { ServerResponse } from 'node:http'
      const { end } = ServerResponse.prototype
      ServerResponse.prototype.end = function (...parts) {
        if (this.req.url === '/ending') { ${code} }
        return end.apply(this, parts)
      }`
    const lines: string[] = []
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(preload)}`
    const { child, url } = await startArtifact({ DATABASE_URL, NODE_OPTIONS }, lines)
    const ended = once(child, 'close')
    await Promise.all([fetch(`${url}/ending`).catch(() => {}), ended])
    const log = lines.map((line) => JSON.parse(line) as LogLine)
    assert.deepEqual([log.find(({ path }) => path === '/…')?.['status'], log.at(-1)?.message], [404, message])
  })
}
