// Starts the artifact with several workers.

import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { run } from '../support/environment.ts'
import { startArtifact, type LogLine } from '../support/workgate.ts'
import { until } from '../faults/fixtures/embedded.ts'

export interface Reply {
  status: number
  headers: IncomingMessage['headers']
  body: any
}

export async function startWorkers(environment: Record<string, string>, program?: readonly string[]) {
  const { postgresBin } = run()
  const lines: string[] = []
  const settings = { WORKERS: '2', ...(postgresBin && { POSTGRES_BIN: postgresBin }), ...environment }
  const { child, url } = await startArtifact(settings, lines, program)
  let errors = ''
  child.stderr!.on('data', (bytes: Buffer) => (errors += bytes))
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  const log = () => lines.map((line) => JSON.parse(line) as LogLine)
  const linesWith = (message: string) => log().filter((line) => line['message'] === message)
  return {
    child,
    url,
    ended,
    errors: () => errors,
    log,
    /** The log lines with this message. */
    linesWith,
    untilLogged: (message: string) => until(`the log contains "${message}"`, () => linesWith(message).length > 0),
    /** The process ids of the workers that the service started with. */
    pids: () => linesWith('listening')[0]!['workers'] as number[],
    /** Sends a request on its own connection, unless there is an agent. */
    ask: (path: string, key: string, agent: Agent | false = false) => ask(url + path, key, agent),
  }
}

async function ask(url: string, key: string, agent: Agent | false): Promise<Reply> {
  const sent = request(url, { agent, headers: { authorization: `Bearer ${key}` } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await response.toArray()).join('')
  return { status: response.statusCode!, headers: response.headers, body: JSON.parse(text) }
}

export function hasExited(pid: number): boolean {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
