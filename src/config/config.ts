// Reads the settings from the environment. All faults are reported together. Messages never contain values, which may
// be secret.

import * as v from 'valibot'
import { readEnvironmentKeys } from './environment-keys.ts'
import { isDatabaseUrl, hasHostNamesOnly } from '../db/database-url.ts'
import { isCertificate, isKeyPair, isPrivateKey, type Certificate } from './certificate.ts'
import { logLevels } from '../runtime/log.ts'
import { readPublicUrl } from '../api/public-url.ts'

const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check(
      (value) => /^\d{1,12}$/.test(value) && min <= Number(value) && Number(value) <= max,
      `must be an integer between ${min} and ${max}`,
    ),
    v.transform(Number),
  )
const text = v.string()
const emptyToUndefined = v.transform((value: string) => value || undefined)
const optionalText = v.pipe(v.string(), emptyToUndefined)
const flag = v.pipe(
  v.picklist(['0', '1'], 'must be 0 or 1'),
  v.transform((value) => value === '1'),
)
const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (value) => value === '' || isDatabaseUrl(value),
    'must look like postgres://user:password@host:5432/database',
  ),
  v.check(
    (value) => !/[?&]target_session_attrs=(?!(primary|read-write)(&|$))/.test(value),
    'allows only target_session_attrs=primary or read-write, which mean the same here',
  ),
  v.check(
    (value) => !/[?&]sslmode=(?!(disable|prefer|require|verify-full)(&|$))/.test(value),
    'allows only sslmode=disable, prefer, require or verify-full',
  ),
  v.check(
    (value) => !/[?&]sslmode=verify-full(&|$)/.test(value) || hasHostNamesOnly(value),
    'allows sslmode=verify-full only with host names, not with IP addresses',
  ),
  v.check(
    (value) => !/[?&]ssl(rootcert|cert|key|crl|password)=/.test(value),
    'does not allow TLS files: set NODE_EXTRA_CA_CERTS to the file of your certificate authority',
  ),
  emptyToUndefined,
)
const replicaUrls = v.pipe(
  v.string(),
  v.transform((value) => (value === '' ? [] : value.split(/\s*,\s*(?=postgres(?:ql)?:)/))),
  v.everyItem(
    (url) => isDatabaseUrl(url) && !url.includes(','),
    'must be a comma-separated list of addresses such as postgres://user:password@host:5432/database, each with one host',
  ),
  v.everyItem((url) => !/[?&]target_session_attrs=/.test(url), 'does not allow target_session_attrs'),
  v.everyItem(
    (url) => !isDatabaseUrl(url) || v.is(databaseUrl, url),
    'allows only the parameters that DATABASE_URL allows',
  ),
)
const origins = v.pipe(
  v.string(),
  v.transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
  v.everyItem(
    (origin) => origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin),
    'must be * or a comma-separated list of origins such as https://app.example.org, without a path',
  ),
)
const address = v.pipe(
  v.string(),
  v.regex(
    /^$|^(\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5}$/,
    'must be a host and a port, such as 127.0.0.1:9090 or [::1]:9090',
  ),
  v.transform((value) => {
    const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(value) ?? []
    return host === undefined ? undefined : { host, port: Number(port) }
  }),
  v.check((value) => value === undefined || value.port <= 65_535, 'must have a port from 0 to 65535'),
)
const apiKeys = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue }) => {
    const { keys, faults } = readEnvironmentKeys(dataset.value)
    for (const message of faults) addIssue({ message })
    return keys
  }),
)
const pem = (isValid: (value: string) => boolean, content: string, name: string) =>
  v.pipe(
    v.string(),
    v.check((value) => value === '' || isValid(value), `must be ${content} in PEM; to give a path, set ${name}_FILE`),
    emptyToUndefined,
  )
const certificate = pem(isCertificate, 'a certificate', 'TLS_CERT')
const privateKey = pem(isPrivateKey, 'a private key without a password', 'TLS_KEY')
const publicUrl = v.pipe(
  v.string(),
  v.check(
    (value) => value === '' || readPublicUrl(value) !== undefined,
    'must be an http or https address such as https://example.org/workgate, whose path has only letters, digits, ".", "_", "~" and "-"',
  ),
  v.transform((value) => readPublicUrl(value) ?? ''),
)

const optionalChoice = <const Name extends string>(...names: Name[]) =>
  v.pipe(
    v.picklist(['', ...names], `must be ${names.join(', ')} or empty`),
    v.transform((value) => (value || undefined) as Name | undefined),
  )

// prettier-ignore
const settings = {
  DATABASE_URL:                [databaseUrl, '', 'PostgreSQL 14 or later, as postgres://user:password@host:5432/database; empty: the embedded PostgreSQL'],
  DATA_DIR:                    [text, './workgate-data', 'Data folder of the embedded PostgreSQL'],
  POSTGRES_BIN:                [optionalText, '', 'The bin folder of the PostgreSQL installation to run as the embedded one; empty: search for one'],
  DATABASE_MEMORY_MB:          [wholeNumber(16, 1_048_576), '128', 'Approximate memory that the embedded PostgreSQL may use'],
  DATABASE_POOL:               [wholeNumber(1, 1_000), '10', 'Maximum database connections, divided among the workers (at least 2 each); each worker opens 2 more for freshness checks'],
  DATABASE_POOLER:             [optionalChoice('transaction'), '', 'transaction: DATABASE_URL points at a connection pooler such as PgBouncer in transaction mode; empty: at the server itself'],
  DATABASE_REPLICAS:           [replicaUrls, '', 'Hot standbys of DATABASE_URL that serve reads, separated by commas, each with DATABASE_POOL connections; see the guide "Scaling"'],
  STATEMENT_TIMEOUT_MS:        [wholeNumber(100, 3_600_000), '10000', 'Statements that take longer, or wait for a lock for more than a quarter of this time, are cancelled, and their requests fail with 503'],
  CHANGES_KEPT_DAYS:           [wholeNumber(1, 36_500), '30', 'Days for which clients that keep a copy can continue with their cursor, and deleted tasks have receipts; see the guide "Keep a copy"'],
  CACHE_MB:                    [wholeNumber(0, 1_048_576), '64', 'Memory of the response cache; 0: no cache'],
  AUTO_MIGRATE:                [flag, '1', '1: apply pending migrations at startup; 0: refuse to start if there are any'],
  HOST:                        [text, '127.0.0.1', 'Address to listen on; 0.0.0.0 or :: for all addresses'],
  PORT:                        [wholeNumber(0, 65_535), '8080', 'Port to listen on; 0: any free port'],
  TLS_CERT:                    [certificate, '', 'Certificate in PEM, followed by its intermediate certificates, usually set by TLS_CERT_FILE; the service then speaks only HTTPS'],
  TLS_KEY:                     [privateKey, '', 'Private key of TLS_CERT in PEM, usually set by TLS_KEY_FILE'],
  WORKERS:                     [wholeNumber(1, 128), '1', 'Processes that serve requests on the same port; if more than 1, an additional process supervises them'],
  API_KEYS:                    [apiKeys, '', 'API keys as a JSON array; see the guide "Keys and scope"'],
  RATE_LIMIT_PER_MINUTE:       [wholeNumber(0, 1_000_000), '6000', 'Requests per minute for each key without a limit of its own; 0: no limit'],
  MAX_CONNECTIONS:             [wholeNumber(1, 1_000_000), '10000', 'Maximum client connections, at most as many as the limit of open files allows; for a new one, the one that has been idle longest is closed'],
  MAX_CONNECTIONS_PER_ADDRESS: [wholeNumber(0, 1_000_000), '1000', 'Maximum connections from one address (IPv6: one /64), except from this machine; 0: no limit; ignored if TRUST_PROXY is set'],
  MAX_WAITERS:                 [wholeNumber(0, 100_000), '2000', 'Maximum number of requests that wait for a change at the same time; further ones fail with 503'],
  TRUST_PROXY:                 [wholeNumber(0, 10), '0', 'Number of proxies in front of the service that append to X-Forwarded-For'],
  PUBLIC_URL:                  [publicUrl, '', 'Address under which clients reach the service, with the path that a proxy strips; see the guide "Network and TLS"; empty: as the proxies in TRUST_PROXY report it'],
  HSTS_MAX_AGE:                [wholeNumber(0, 63_072_000), '0', 'Seconds for which browsers use only HTTPS for every port of this host (Strict-Transport-Security); requires TLS_CERT, or a proxy that terminates TLS; 0: no such header'],
  CORS_ORIGINS:                [origins, '', 'Origins whose pages may call the API, separated by commas, or *; empty: none'],
  METRICS_LISTEN:              [address, '', 'Address for GET /metrics (Prometheus), such as 127.0.0.1:9090; empty: none'],
  LOG_LEVEL:                   [v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`), 'info', `One of ${logLevels.join(', ')}; requests are logged at info`],
  LOG_FORMAT:                  [optionalChoice('text', 'json'), '', 'text for people, or json for programs; empty: text if the log is written to a terminal, and json otherwise'],
  SHUTDOWN_DELAY_MS:           [wholeNumber(0, 600_000), '0', 'Milliseconds at shutdown during which requests are still accepted, while /readyz already fails with 503'],
  SHUTDOWN_GRACE_MS:           [wholeNumber(0, 600_000), '10000', 'Milliseconds that running requests get to finish at shutdown, after SHUTDOWN_DELAY_MS'],
} satisfies Record<string, [v.GenericSchema<string, unknown>, string, string]>

type Settings = typeof settings
export type Config = { readonly [Name in keyof Settings]: v.InferOutput<Settings[Name][0]> }
type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  override name = 'ConfigError'
}

type ReadFile = (path: string) => string

/**
 * For each setting, NAME_FILE can be set to the path of a file with the value, so that secrets can be mounted as files.
 */
export function readConfig(environment: Environment, readFile: ReadFile): Config {
  return readSettings(Object.keys(settings) as (keyof Settings)[], environment, readFile)
}

/** Reads the certificate again after its files were replaced. */
export function readCertificate(environment: Environment, readFile: ReadFile): Certificate | undefined {
  return certificateOf(readSettings(['TLS_CERT', 'TLS_KEY'], environment, readFile))
}

export function certificateOf({ TLS_CERT: cert, TLS_KEY: key }: Pick<Config, 'TLS_CERT' | 'TLS_KEY'>) {
  return cert !== undefined && key !== undefined ? { cert, key } : undefined
}

function readSettings<Name extends keyof Settings>(
  names: readonly Name[],
  environment: Environment,
  readFile: ReadFile,
): Pick<Config, Name> {
  const faults: string[] = []
  const config: Partial<Record<keyof Settings, unknown>> = {}
  for (const name of names) {
    const [schema, fallback] = settings[name]
    const path = environment[name + '_FILE']
    let value = environment[name]
    if (path) {
      if (value) faults.push(`${name} and ${name}_FILE are both set`)
      try {
        value = readFile(path).trim()
      } catch {
        faults.push(`${name}_FILE names a file that cannot be read`)
        continue
      }
      // An empty file may be a secret that is not mounted yet, so it must not count as unset.
      if (!value) faults.push(`${name}_FILE names a file that is empty`)
    }
    const parsed = v.safeParse(schema, value || fallback)
    if (parsed.success) config[name] = parsed.output
    else faults.push(...parsed.issues.map(({ message }) => `${name} ${message}`))
  }
  if (config['DATABASE_POOLER'] && !config['DATABASE_URL']) faults.push('DATABASE_POOLER requires DATABASE_URL')
  if (config['DATABASE_REPLICAS'] && (config['DATABASE_REPLICAS'] as string[]).length > 0 && !config['DATABASE_URL'])
    faults.push('DATABASE_REPLICAS requires DATABASE_URL')
  if (config['HSTS_MAX_AGE'] && !config['TLS_CERT'] && !config['TRUST_PROXY'])
    faults.push('HSTS_MAX_AGE requires TLS_CERT, or a proxy that terminates TLS and TRUST_PROXY')
  if (faults.length === 0) faults.push(...checkCertificatePair(config as Config))
  if (faults.length > 0)
    throw new ConfigError('invalid configuration:\n' + faults.map((fault) => `  ${fault}`).join('\n'))
  return config as Config
}

function checkCertificatePair(config: Config): string[] {
  const given = certificateOf(config)
  if (given) return isKeyPair(given) ? [] : ['TLS_KEY is not the private key of TLS_CERT']
  return (config.TLS_CERT ?? config.TLS_KEY) ? ['TLS_CERT and TLS_KEY must be set together'] : []
}

export function describeSettings(): { name: string; fallback: string; meaning: string }[] {
  return Object.entries(settings).map(([name, [, fallback, meaning]]) => ({ name, fallback, meaning }))
}

/** Divides the limits of the whole service among its workers. Returns the settings of one worker; workers are numbered from 1. */
export function divideSettings(config: Config, worker: number): Config {
  const { WORKERS, DATABASE_POOL, CACHE_MB, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, MAX_WAITERS } = config
  const shareOf = (total: number) => Math.floor(total / WORKERS) + Number(worker <= total % WORKERS)
  /** At least one, unless the total is 0. */
  const someOf = (total: number) => Math.max(Math.min(1, total), shareOf(total))
  return {
    ...config,
    // With one connection, a slow statement would block all others.
    DATABASE_POOL: Math.max(2, shareOf(DATABASE_POOL)),
    CACHE_MB: CACHE_MB / WORKERS,
    MAX_CONNECTIONS: someOf(MAX_CONNECTIONS),
    MAX_CONNECTIONS_PER_ADDRESS: someOf(MAX_CONNECTIONS_PER_ADDRESS),
    MAX_WAITERS: someOf(MAX_WAITERS),
  }
}
