// The service's own TLS: 1.2 and later, HTTP/1.1 inside, and a certificate that can be renewed.

import { createServer, type Server, type ServerOptions } from 'node:https'
import { createSecureContext } from 'node:tls'
import type { Certificate } from '../../config/certificate.ts'

const security = { minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'], handshakeTimeout: 10_000 } as const

export function createSecureServer(options: ServerOptions, certificate: Certificate): Server {
  return createServer({ ...options, ...security, ...certificate })
}

/** For connections that come from now on. */
export function renewCertificate(server: Server, certificate: Certificate): void {
  server.setSecureContext({ ...security, ...certificate })
}

/** Throws what is wrong with it, before anybody depends on it. */
export function tryCertificate(certificate: Certificate): void {
  try {
    createSecureContext({ ...security, ...certificate })
  } catch (error) {
    throw new Error('TLS_CERT and TLS_KEY cannot be used', { cause: error })
  }
}
