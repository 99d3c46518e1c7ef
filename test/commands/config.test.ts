// Settings that contradict each other or have invalid contents. serve.test.ts tests other invalid settings.

import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { certificateOf, ConfigError, readConfig } from '../../src/config/config.ts'
import { pairs } from '../support/certificates.ts'

const { first, second } = pairs
const locked = createPrivateKey(first.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
  .toString()

// prettier-ignore
const faults: [claim: string, environment: Record<string, string>, fault: string][] = [
  ['a path in place of a certificate', { TLS_CERT: '/etc/cert.pem', TLS_KEY: first.key },  'TLS_CERT must be a certificate in PEM; to give a path, set TLS_CERT_FILE'],
  ['a path in place of a key',         { TLS_CERT: first.cert, TLS_KEY: '/etc/key.pem' },  'TLS_KEY must be a private key without a password in PEM; to give a path, set TLS_KEY_FILE'],
  ['a private key with a password',    { TLS_CERT: first.cert, TLS_KEY: locked },          'TLS_KEY must be a private key without a password in PEM; to give a path, set TLS_KEY_FILE'],
  ['a swapped certificate and key',       { TLS_CERT: first.key, TLS_KEY: second.key },       'TLS_CERT must be a certificate in PEM; to give a path, set TLS_CERT_FILE'],
  ['a certificate without its key',    { TLS_CERT: first.cert },                           'TLS_CERT and TLS_KEY must be set together'],
  ['a key without its certificate',    { TLS_KEY: first.key },                             'TLS_CERT and TLS_KEY must be set together'],
  ['the key of another certificate',   { TLS_CERT: first.cert, TLS_KEY: second.key },      'TLS_KEY is not the private key of TLS_CERT'],
  ['HSTS without TLS',                 { HSTS_MAX_AGE: '300' },                            'HSTS_MAX_AGE requires TLS_CERT, or a proxy that terminates TLS and TRUST_PROXY'],
  ['HSTS for more than two years',     { HSTS_MAX_AGE: '63072001', TRUST_PROXY: '1' },     'HSTS_MAX_AGE must be an integer between 0 and 63072000'],
  ['an address without a port',        { METRICS_LISTEN: '127.0.0.1' },                    'METRICS_LISTEN must be a host and a port, such as 127.0.0.1:9090 or [::1]:9090'],
  ['an address with a high port',      { METRICS_LISTEN: '127.0.0.1:65536' },              'METRICS_LISTEN must have a port from 0 to 65535'],
]

describe('an error names the setting but not its value', () => {
  for (const [claim, environment, fault] of faults) {
    test(claim, () => {
      assert.throws(() => readConfig(environment, () => ''), new ConfigError(`invalid configuration:\n  ${fault}`))
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
