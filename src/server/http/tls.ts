// Creates HTTPS servers: TLS 1.2 or later, HTTP/1.1, and a certificate that can be replaced while the server runs.

import { createServer, type Server, type ServerOptions } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Certificate } from '../../config/certificate.ts'

// Only suites with forward secrecy and authenticated encryption. By default, Node also offers static RSA, CBC and CCM8.
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

const tlsOptions = {
  minVersion: 'TLSv1.2',
  ciphers,
  ALPNProtocols: ['http/1.1'],
  handshakeTimeout: 10_000,
} as const

export function createSecureServer(options: ServerOptions, certificate: Certificate): Server {
  // As without TLS, a client that sends no more still gets its responses.
  return createServer({ ...options, ...tlsOptions, ...certificate, allowHalfOpen: true })
}

/** A header of every response. With 0, there is none: it affects all ports of the host. */
export const hstsFieldsOf = (maxAge: number): string[] =>
  maxAge > 0 ? ['strict-transport-security', `max-age=${maxAge}`] : []

/** Applies to new connections. */
export function replaceCertificate(server: Server, certificate: Certificate): void {
  server.setSecureContext({ ...tlsOptions, ...certificate })
}

/** Throws if TLS cannot use the certificate. */
export function validateCertificate(certificate: Certificate): void {
  try {
    createSecureContext({ ...tlsOptions, ...certificate })
  } catch (error) {
    throw new Error('TLS_CERT and TLS_KEY cannot be used', { cause: error })
  }
}
