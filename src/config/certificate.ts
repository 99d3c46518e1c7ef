// What TLS needs: a certificate, with those above it behind it, and its private key, both in PEM.

import { createPrivateKey, X509Certificate } from 'node:crypto'

export interface Certificate {
  cert: string
  key: string
}

export function isCertificate(pem: string): boolean {
  return works(() => new X509Certificate(pem))
}

export function isPrivateKey(pem: string): boolean {
  return works(() => createPrivateKey(pem))
}

export function isPair({ cert, key }: Certificate): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
}

/** For the log. */
export function describeCertificate({ cert }: Certificate) {
  const { subject, subjectAltName, validFrom, validTo } = new X509Certificate(cert)
  const [from, until] = [validFrom, validTo].map((time) => new Date(time))
  return {
    names: subjectAltName ?? subject,
    validFrom: from!.toISOString(),
    validUntil: until!.toISOString(),
    isValid: from!.getTime() <= Date.now() && Date.now() < until!.getTime(),
  }
}

function works(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
