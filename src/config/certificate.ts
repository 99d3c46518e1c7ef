// Checks and describes TLS certificates (in PEM, followed by their chain) and their private keys (in PEM).

import { createPrivateKey, X509Certificate } from 'node:crypto'

export interface Certificate {
  cert: string
  key: string
}

export const isCertificate = (pem: string) => canParse(() => new X509Certificate(pem))
export const isPrivateKey = (pem: string) => canParse(() => createPrivateKey(pem))

export function isKeyPair({ cert, key }: Certificate): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
}

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

function canParse(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}
