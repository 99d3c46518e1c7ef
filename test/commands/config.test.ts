// Invalid settings, and settings that contradict each other.

import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { certificateOf, ConfigError, readConfig } from '../../src/config/config.ts'
import { pairs } from '../support/certificates.ts'

const { first, second } = pairs
const locked = createPrivateKey(first.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString()

const secret = 'a-secret-of-more-than-32-characters'
const project = '00000000-0000-7000-8003-000000000001'

/** A text is the whole fault, a pattern matches a part of it. */
// prettier-ignore
const faults: [claim: string, environment: Record<string, string>, fault: string | RegExp][] = [
  ['a path in place of a certificate', { TLS_CERT: '/etc/cert.pem', TLS_KEY: first.key },  'TLS_CERT must be a certificate in PEM; to give a path, set TLS_CERT_FILE'],
  ['a path in place of a key',         { TLS_CERT: first.cert, TLS_KEY: '/etc/key.pem' },  'TLS_KEY must be a private key without a password in PEM; to give a path, set TLS_KEY_FILE'],
  ['a private key with a password',    { TLS_CERT: first.cert, TLS_KEY: locked },          'TLS_KEY must be a private key without a password in PEM; to give a path, set TLS_KEY_FILE'],
  ['a swapped certificate and key',       { TLS_CERT: first.key, TLS_KEY: second.key },       'TLS_CERT must be a certificate in PEM; to give a path, set TLS_CERT_FILE'],
  ['a certificate without its key',    { TLS_CERT: first.cert },                           'TLS_CERT and TLS_KEY must be set together'],
  ['a key without its certificate',    { TLS_KEY: first.key },                             'TLS_CERT and TLS_KEY must be set together'],
  ['the key of another certificate',   { TLS_CERT: first.cert, TLS_KEY: second.key },      'TLS_KEY is not the private key of TLS_CERT'],
  ['HSTS without TLS',                 { HSTS_MAX_AGE: '300' },                            'HSTS_MAX_AGE requires TLS_CERT, or a proxy that terminates TLS and TRUST_PROXY'],
  ['HSTS for more than two years',     { HSTS_MAX_AGE: '63072001', TRUST_PROXY: '1' },     'HSTS_MAX_AGE must be an integer between 0 and 63072000'],
  ...['example.org', '/workgate', 'ftp://example.org', 'https://', 'https:///a', 'https://a b', 'https://user@example.org', 'https://user:secret@example.org',
    'https://example.org?a', 'https://example.org/a?b=c', 'https://example.org/#a', 'https://example.org/a//b', 'https://example.org/../a', 'https://example.org/ä', 'https://example.org/a%20b',
    'https://example.org:70000', 'https://example.org\n', 'javascript:alert(1)', '*'].map((url): (typeof faults)[number] =>
    [`the address ${JSON.stringify(url)}`, { PUBLIC_URL: url }, 'PUBLIC_URL must be an http or https address such as https://example.org/workgate, whose path has only letters, digits, ".", "_", "~" and "-"']),
  ['an address without a port',        { METRICS_LISTEN: '127.0.0.1' },                    'METRICS_LISTEN must be a host and a port, such as 127.0.0.1:9090 or [::1]:9090'],
  ['an address with a high port',      { METRICS_LISTEN: '127.0.0.1:65536' },              'METRICS_LISTEN must have a port from 0 to 65535'],
  ['an invalid port',                { PORT: 'abc' },                                      /PORT must be an integer between 0 and 65535/],
  ['a port that is too high',        { PORT: '65536' },                                    /PORT must be an integer/],
  ['a negative limit',               { RATE_LIMIT_PER_MINUTE: '-1' },                      /RATE_LIMIT_PER_MINUTE must be an integer/],
  ['an unknown level',               { LOG_LEVEL: 'loud' },                                /LOG_LEVEL must be one of debug, info/],
  ['an unknown log format',          { LOG_FORMAT: 'xml' },                                /LOG_FORMAT must be text, json or empty/],
  ['an origin with a path',          { CORS_ORIGINS: 'https://a.example.org/x' },          /CORS_ORIGINS must be \* or a comma-separated list/],
  ['an invalid flag',            { AUTO_MIGRATE: 'no' },                               /AUTO_MIGRATE must be 0 or 1/],
  ['an invalid database address',{ DATABASE_URL: `mysql://root:${secret}@localhost` }, /DATABASE_URL must look like postgres:/],
  ['a password with a bare %',       { DATABASE_URL: 'postgres://u:50%off@localhost/db' }, /DATABASE_URL must look like postgres:/],
  ['an unknown sslmode',             { DATABASE_URL: 'postgres://u@localhost/db?sslmode=bogus' }, /DATABASE_URL allows only sslmode=disable, prefer/],
  ['verify-full with an IP address',           { DATABASE_URL: 'postgres://u@db.example.org,[::1]:5433/db?sslmode=verify-full' }, /DATABASE_URL allows sslmode=verify-full only with host names/],
  ['a certificate file in the address',                 { DATABASE_URL: 'postgres://u@localhost/db?sslrootcert=/x' }, /DATABASE_URL does not allow TLS files: .*NODE_EXTRA_CA_CERTS/],
  ['a pooler without an address',      { DATABASE_URL: '', DATABASE_POOLER: 'transaction' }, /DATABASE_POOLER requires DATABASE_URL/],
  ['replicas without a primary',       { DATABASE_URL: '', DATABASE_REPLICAS: 'postgres://u@localhost/db' }, /DATABASE_REPLICAS requires DATABASE_URL$/],
  ['one of two replicas that is no address', { DATABASE_REPLICAS: `postgres://u:${secret}@one/db,two:5432/db` }, /DATABASE_REPLICAS must be a comma-separated list of addresses .*, each with one host$/],
  ['a replica with two hosts',         { DATABASE_REPLICAS: `postgres://u:${secret}@one,two/db` }, /DATABASE_REPLICAS must be a comma-separated list of addresses .*, each with one host$/],
  ['a replica that is to be primary',  { DATABASE_REPLICAS: 'postgres://u@one/db?target_session_attrs=primary' }, /DATABASE_REPLICAS does not allow target_session_attrs$/],
  ['a replica with an unknown sslmode',{ DATABASE_REPLICAS: 'postgres://u@one/db?sslmode=bogus' }, /DATABASE_REPLICAS allows only the parameters that DATABASE_URL allows$/],
  ['keys that are not JSON',          { API_KEYS: `{"key": "${secret}"` },                  /API_KEYS must be a JSON array/],
  ['keys that are not an array',          { API_KEYS: `{"key": "${secret}"}` },                 /API_KEYS must be a JSON array/],
  ['a key without a name',           { API_KEYS: `[{"key": "${secret}"}]` },               /API_KEYS entry 1: name is missing/],
  ['a name with NUL',                { API_KEYS: `[{"name": "c\\u0000i", "key": "${secret}"}]` },        /entry 1 \("c\\u0000i"\): name must be 1 to 100 characters, without control characters, [^\n]*$/m],
  ['a name with an unpaired surrogate',   { API_KEYS: `[{"name": "c\\ud83di", "key": "${secret}"}]` },        /entry 1 \("c\\ud83di"\): name must be 1 to 100 /],
  ['a name that is too long',        { API_KEYS: `[{"name": "${'n'.repeat(101)}", "key": "${secret}"}]` }, /entry 1: name must be 1 to 100 /],
  ['a name that begins with a space', { API_KEYS: `[{"name": " ci", "key": "${secret}"}]` },             /entry 1 \(" ci"\): name must be 1 to 100 /],
  ['an escaped line feed in a key',  { API_KEYS: JSON.stringify([{ name: 'ci', key: `${secret}\n` }]) }, /entry 1 \("ci"\): key contains a line break or another control character$/],
  ['a line feed in a key',           { API_KEYS: `[{ "name": "ci", "key": "${secret}\n" }]` }, /API_KEYS must be a JSON array: a string in it contains a line break or another control character$/],
  ['a short key',                    { API_KEYS: '[{"name": "ci", "key": "short"}]' },     /entry 1 \("ci"\): key must have at least 32/],
  ['a key with an unknown field',    { API_KEYS: `[{"name": "ci", "key": "${secret}", "scope": "x"}]` },           /entry 1 \("ci"\): scope is unknown/],
  ['a key in place of a field',      { API_KEYS: `[{"name": "ci", "${secret}": 1}]` },     /entry 1 \("ci"\): a field is unknown/],
  ['both key and hash',           { API_KEYS: `[{"name": "ci", "key": "${secret}", "keySha256": "${'0'.repeat(64)}"}]` }, /must have either key or keySha256/],
  ['neither key nor hash',           { API_KEYS: '[{"name": "ci"}]' },                     /must have either key or keySha256/],
  ['more than 1000 projects',       { API_KEYS: JSON.stringify([{ name: 'ci', key: secret, projects: Array(1_001).fill(project) }]) }, /projects must list at most 1000 projects/],
  ['projects with all_projects',    { API_KEYS: `[{"name": "ci", "key": "${secret}", "scopeMode": "all_projects", "projects": ["${project}"]}]` }, /must not list projects if scopeMode is all_projects/],
  ['an invalid project id',        { API_KEYS: `[{"name": "ci", "key": "${secret}", "projects": ["web"]}]` },    /projects\.0 must be a project id/],
  ['create_project with selected projects', { API_KEYS: `[{"name": "ci", "key": "${secret}", "operations": ["create_project"]}]` }, /create_project requires all_projects/],
  ['an invalid expiry',         { API_KEYS: `[{"name": "ci", "key": "${secret}", "expiresAt": "soon"}]` },    /expiresAt must be a time such as/],
  ['an expiry after the year 9999',       { API_KEYS: `[{"name": "ci", "key": "${secret}", "expiresAt": "9999-12-31T23:00:00-02:00"}]` }, /expiresAt must be a time such as/],
  ['a duplicate name',                 { API_KEYS: `[{"name": "ci", "key": "${secret}"}, {"name": "ci", "key": "${secret}2"}]` }, /entry 2 \("ci"\): another entry has the same name or key/],
  ['a duplicate key',                  { API_KEYS: `[{"name": "a", "key": "${secret}"}, {"name": "b", "key": "${secret}"}]` },    /entry 2 \("b"\): another entry has the same name or key/],
  ['a key in its name',                { API_KEYS: `[{"name": "x${secret}", "key": "${secret}"}]` }, /API_KEYS entry 1: name must not contain the key/],
  ['a missing file',       { API_KEYS_FILE: '/nowhere/keys.json' },              /API_KEYS_FILE names a file that cannot be read/],
  ['an empty file',      { DATABASE_URL: '', DATABASE_URL_FILE: '/dev/null' },          /DATABASE_URL_FILE names a file that is empty/],
  ['both a value and a file',      { PORT: '0', PORT_FILE: '/etc/hostname' },            /PORT and PORT_FILE are both set/],
]

describe('an error names the setting but not its value:', () => {
  for (const [claim, environment, fault] of faults) {
    test(claim, () => {
      assert.throws(
        () => readConfig(environment, (path) => readFileSync(path, 'utf8')),
        (error: Error) => {
          assert.ok(error instanceof ConfigError)
          if (typeof fault === 'string') assert.equal(error.message, `invalid configuration:\n  ${fault}`)
          else assert.match(error.message, fault)
          assert.ok(!error.message.includes(secret), error.message)
          return true
        },
      )
    })
  }
})

test('certificate and key can be in files or in the environment', () => {
  const files: Record<string, string> = { '/cert': first.cert, '/key': first.key }
  const fromFiles = readConfig({ TLS_CERT_FILE: '/cert', TLS_KEY_FILE: '/key' }, (path) => files[path]!)
  const given = readConfig({ TLS_CERT: first.cert, TLS_KEY: first.key }, () => '')
  const trimmed = { cert: first.cert.trim(), key: first.key.trim() }
  assert.deepEqual([certificateOf(fromFiles), certificateOf(given)], [trimmed, first])
  assert.equal(certificateOf(readConfig({}, () => '')), undefined)
})
