// Lists all metrics of /metrics. Their help texts are the documentation of the metrics.

import { series, type Metric } from './metrics.ts'

interface MetricDescription {
  type: Metric['type']
  labels: readonly string[]
  help: string
  mergeBy?: 'min'
}

const pools = 'by pool: "checks" for freshness checks, "statements" for everything else'

// prettier-ignore
const catalog = {
  workgate_http_requests_total:           { type: 'counter',   labels: ['method', 'route', 'status'], help: 'Completed requests. The route is the path template, or "none" if the request was refused before its route was found; an uncommon method is counted as "other".' },
  workgate_http_request_duration_seconds: { type: 'histogram', labels: ['method', 'route'], help: 'Time in seconds from a request to its response, including the wait of a long poll, but not the transfer to the client. The buckets range from 0.5 ms to 30 s.' },
  workgate_http_requests_in_flight:       { type: 'gauge',     labels: [], help: 'Requests that are being processed, including long polls.' },
  workgate_problems_total:                { type: 'counter',   labels: ['code'], help: 'Error responses by error code. Failed credentials are UNAUTHENTICATED, KEY_EXPIRED and KEY_REVOKED.' },
  workgate_rate_limited_total:            { type: 'counter',   labels: ['by'], help: 'Requests refused by a rate limit: by "key" with a valid key, by "address" with a key that is invalid or has not been used before.' },
  workgate_malformed_requests_total:      { type: 'counter',   labels: [], help: 'Input that was not HTTP (or not TLS), was too slow, or had too many headers. It is not counted as a request.' },
  workgate_connections:                   { type: 'gauge',     labels: [], help: 'Open client connections.' },
  workgate_connections_accepted_total:    { type: 'counter',   labels: [], help: 'Client connections that were accepted.' },
  workgate_connections_refused_total:     { type: 'counter',   labels: ['limit'], help: 'Client connections that were closed immediately: "total" because MAX_CONNECTIONS were open and none was idle, "address" because of MAX_CONNECTIONS_PER_ADDRESS.' },
  workgate_connections_displaced_total:   { type: 'counter',   labels: [], help: 'Idle client connections that were closed to make room for new ones, because MAX_CONNECTIONS were open.' },
  workgate_connections_paused_total:      { type: 'counter',   labels: [], help: 'How often further requests of a connection had to wait, because 8 of its requests (fewer with more than 512 connections) had no response yet, or because its client did not read.' },
  workgate_connections_unread_total:      { type: 'counter',   labels: [], help: 'Client connections that were closed because unread responses, and requests sent in advance, took 64 MiB.' },
  workgate_client_bytes:                  { type: 'gauge',     labels: [], help: 'Memory for responses that clients have not read yet, and for requests that they have sent in advance.' },
  workgate_waiters:                       { type: 'gauge',     labels: [], help: 'Requests that are waiting for a change (long polls).' },
  workgate_waiters_refused_total:         { type: 'counter',   labels: [], help: 'Long polls that were refused with 503: too many of the same key were waiting, or MAX_WAITERS in total.' },
  workgate_database_connections:          { type: 'gauge',     labels: ['pool'], help: `Open database connections, ${pools}.` },
  workgate_database_connections_in_use:   { type: 'gauge',     labels: ['pool'], help: `Database connections that are running a statement, ${pools}.` },
  workgate_database_connections_max:      { type: 'gauge',     labels: ['pool'], help: `Maximum number of database connections, ${pools}.` },
  workgate_database_statements_waiting:   { type: 'gauge',     labels: ['pool'], help: `Statements that are waiting for a database connection, ${pools}.` },
  workgate_database_over_share_total:     { type: 'counter',   labels: [], help: 'Statements that waited because their key already used its share of the database connections while others were active.' },
  workgate_database_displaced_total:      { type: 'counter',   labels: [], help: 'Waiting statements of the key with the most that were refused with 503, to make room for one of another key.' },
  workgate_reads_total:                   { type: 'counter',   labels: ['server'], help: 'Statements of reads by the server that ran them: "primary", or the host and port of a replica. Present only with DATABASE_REPLICAS.' },
  workgate_replica_usable:                { type: 'gauge',     labels: ['server'], help: '1 if the replica responds and is a standby, otherwise 0. With WORKERS, 1 only if all workers can use it. Present only with DATABASE_REPLICAS.', mergeBy: 'min' },
  workgate_replica_lag_bytes:             { type: 'gauge',     labels: ['server'], help: 'Bytes of the log of the primary that the replica had not replayed when it was asked last, up to the position of the latest read. Present only with DATABASE_REPLICAS.', mergeBy: 'min' },
  workgate_node_usable:                   { type: 'gauge',     labels: ['server'], help: '1 if the node of the Citus cluster responds and its projects are available, otherwise 0. With WORKERS, 1 only if all workers can use it. Present only with Citus.', mergeBy: 'min' },
  workgate_freshness_checks_total:        { type: 'counter',   labels: [], help: 'Freshness checks: how often requests asked the database for the current version of the data, usually once each.' },
  workgate_freshness_batches_total:       { type: 'counter',   labels: [], help: 'Statements that ran freshness checks; concurrent requests share one.' },
  workgate_cache_hits_total:              { type: 'counter',   labels: [], help: 'Reads that were served from the response cache.' },
  workgate_cache_shared_total:            { type: 'counter',   labels: [], help: 'Reads that shared the statement of a concurrent read of the same data.' },
  workgate_cache_misses_total:            { type: 'counter',   labels: [], help: 'Reads that ran a statement of their own.' },
  workgate_cache_evictions_total:         { type: 'counter',   labels: [], help: 'Responses that were evicted from the response cache to make room for others.' },
  workgate_cache_bytes:                   { type: 'gauge',     labels: [], help: 'Size of the response cache in bytes.' },
  workgate_cache_entries:                 { type: 'gauge',     labels: [], help: 'Responses in the response cache.' },
  workgate_journal_age_seconds:          { type: 'gauge',     labels: [], help: 'Age of the oldest entry in the journal of changes. Above CHANGES_KEPT_DAYS it grows only while a transaction stays open. Updated every ten minutes.', mergeBy: 'min' },
  workgate_event_loop_delay_seconds:      { type: 'histogram', labels: [], help: 'Delay in seconds of a timer that fires ten times a second. Delays well above 10 ms mean that a process is overloaded.' },
  workgate_workers:                       { type: 'gauge',     labels: [], help: 'Worker processes that serve requests. Present only if WORKERS is greater than 1.' },
  workgate_worker_restarts_total:         { type: 'counter',   labels: [], help: 'Workers that were started to replace one that exited unexpectedly. Present only if WORKERS is greater than 1.' },
  workgate_build_info:                    { type: 'gauge',     labels: ['version'], help: 'The version of Workgate. The value is always 1.', mergeBy: 'min' },
  nodejs_version_info:                    { type: 'gauge',     labels: ['version'], help: 'The version of Node. The value is always 1.', mergeBy: 'min' },
  process_resident_memory_bytes:          { type: 'gauge',     labels: [], help: 'Resident memory of all Workgate processes in bytes, without PostgreSQL.' },
  process_cpu_seconds_total:              { type: 'counter',   labels: [], help: 'CPU time used by all Workgate processes in seconds, without PostgreSQL.' },
  process_start_time_seconds:             { type: 'gauge',     labels: [], help: 'Start time of the first Workgate process, in seconds since 1970.', mergeBy: 'min' },
  process_open_fds:                       { type: 'gauge',     labels: [], help: 'Open file descriptors of all Workgate processes. Only on Linux.' },
  process_max_fds:                        { type: 'gauge',     labels: [], help: 'Limit of open file descriptors, summed over all Workgate processes. Only on Linux.' },
} as const satisfies Record<string, MetricDescription>

type MetricName = keyof typeof catalog
type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof catalog)[Name]['labels'][number], string | number>>

/** Returns a metric of the catalog, with one value, or with a value for each set of labels. */
export function catalogMetric<Name extends MetricName>(
  name: Name,
  values: number | readonly (readonly [LabelsOf<Name>, number])[],
): Metric {
  const { type, help, mergeBy }: MetricDescription = catalog[name]
  const labeled = typeof values === 'number' ? ([[{}, values]] as const) : values
  const samples = labeled.map(([labels, value]): [string, number] => [series(name, labels), value])
  return { name, type, help, samples, ...(mergeBy && { mergeBy }) }
}

/** Returns a histogram of the catalog. */
export function catalogHistogram(name: MetricName, samplesOf: (name: string) => Metric['samples']): Metric {
  const { type, help } = catalog[name]
  return { name, type, help, samples: samplesOf(name) }
}

/** Returns the name, type, labels and help text of every metric. */
export function listMetrics(): readonly ({ name: string } & MetricDescription)[] {
  return Object.entries(catalog).map(([name, description]) => ({ name, ...description }))
}
