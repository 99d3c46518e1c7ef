// Checks, by the metrics of the running service, whether some clients use more than their share.

import type { Config } from '../../config/config.ts'
import { formatAddress } from '../../server/http/reserve-address.ts'
import { ok, warning, type Outcome } from './finding.ts'

const timeoutMs = 3_000

// prettier-ignore
const refusals: readonly [series: string, what: string][] = [
  ['workgate_connections_refused_total{limit="address"}', 'connections over MAX_CONNECTIONS_PER_ADDRESS'],
  ['workgate_connections_refused_total{limit="total"}',   'connections over MAX_CONNECTIONS'],
  ['workgate_connections_displaced_total',                'idle connections that were closed for new ones'],
  ['workgate_connections_unread_total',                   'connections whose clients sent more than they read'],
  ['workgate_database_displaced_total',                   'statements of the key with the most waiting ones'],
  ['workgate_waiters_refused_total',                      'long polls'],
]

const advice =
  'The log shows the keys and addresses that send the most requests. Lower the rate limits of these keys, block these ' +
  'addresses, or raise the limit.'

/** Returns undefined if the service is not running, or serves no metrics. */
export async function checkLoad({ METRICS_LISTEN: listen }: Config): Promise<Outcome | undefined> {
  if (!listen) return undefined
  const url = `http://${formatAddress(listen.host, listen.port)}/metrics`
  const metrics = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).then(
    (response) => response.text(),
    () => undefined,
  )
  return metrics === undefined ? undefined : judgeLoad(metrics)
}

function judgeLoad(metrics: string): Outcome {
  const samples = new Map(metrics.split('\n').map((line) => line.split(/ (?=\S+$)/) as [series: string, value: string]))
  const countOf = (series: string) => Number(samples.get(series) ?? 0)
  const found = refusals.filter(([series]) => countOf(series) > 0)
  if (found.length > 0) {
    const counts = found.map(([series, what]) => `${what} (${formatNumber(countOf(series))})`)
    return warning(`Refused since the service started: ${counts.join(', ')}.`, advice)
  }
  const waited = formatNumber(countOf('workgate_database_over_share_total'))
  const paused = formatNumber(countOf('workgate_connections_paused_total'))
  return ok(
    `Nothing was refused. Statements that waited for the share of their key: ${waited}. Paused connections: ${paused}`,
  )
}

const formatNumber = (value: number) => value.toLocaleString('en-US')
