// Encrypts the bytes of cursors with a secret of the database, so that they reveal nothing about the server, such as how many
// transactions others make. Without the secret, nobody can make one. The number of running transactions shows only in steps,
// because the length is a multiple of eight bytes.

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Runner } from '../../db/pool/pool.ts'
import { query } from '../../db/statements/query.ts'
import { decodeBytes, encodeBytes } from '../../api/input/values.ts'
import findSecretsSql from '../../../sql/changes/find-secrets.sql'

/** 32 bytes in hexadecimal; see sql/migrations/0013-epochs.sql. */
export type Secret = string

const findSecrets = query<{ secret: Secret }>(findSecretsSql)

const algorithm = 'aes-256-gcm'
const version = 1
// A sealed text is the version and the start of the digest of the secret, a nonce, the tag, and the encrypted bytes.
const headLength = 4
const nonceLength = 12
// Short, because a cursor grants no access, even if somebody guesses a valid tag.
const authTagLength = 8
const overhead = headLength + nonceLength + authTagLength
const blockLength = 8

/** Secrets that the process knows, by the heads of what they seal. Only its database says which ones are valid. */
const known = new Map<string, Secret>()

function headOf(secret: Secret): Buffer {
  const digest = createHash('sha256').update(secret, 'hex').digest()
  return Buffer.from([version, ...digest.subarray(0, headLength - 1)])
}

/** `purpose` is needed to open it. */
export function seal(secret: Secret, purpose: string, bytes: Buffer): string {
  const head = headOf(secret)
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, Buffer.from(secret, 'hex'), nonce, { authTagLength })
  cipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]))
  const padding = Buffer.alloc((blockLength - (bytes.length % blockLength)) % blockLength)
  const encrypted = cipher.update(Buffer.concat([bytes, padding]))
  cipher.final()
  return encodeBytes(Buffer.concat([head, nonce, cipher.getAuthTag(), encrypted]))
}

type Opened = { secret: Secret; bytes: Buffer } | 'invalid' | 'unknown secret'

/** The bytes are followed by zeros. */
export async function open(db: Runner, purpose: string, text: string): Promise<Opened> {
  const sealed = decodeBytes(text)
  if (!sealed || sealed.length <= overhead || sealed.length % blockLength > 0 || sealed[0] !== version) return 'invalid'
  const head = sealed.subarray(0, headLength)
  const secret = known.get(head.toString('hex')) ?? (await findSecret(db, head.toString('hex')))
  if (secret === undefined) return 'unknown secret'
  const [nonce, tag] = [
    sealed.subarray(headLength, headLength + nonceLength),
    sealed.subarray(headLength + nonceLength, overhead),
  ]
  const decipher = createDecipheriv(algorithm, Buffer.from(secret, 'hex'), nonce, { authTagLength })
  decipher.setAAD(Buffer.concat([head, Buffer.from(purpose)]))
  decipher.setAuthTag(tag)
  const bytes = decipher.update(sealed.subarray(overhead))
  try {
    decipher.final()
  } catch {
    return 'invalid'
  }
  return { secret, bytes }
}

async function findSecret(db: Runner, head: string): Promise<Secret | undefined> {
  for (const { secret } of await findSecrets(db, {})) known.set(headOf(secret).toString('hex'), secret)
  return known.get(head)
}
