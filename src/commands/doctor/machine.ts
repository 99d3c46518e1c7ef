// Checks this machine: the certificate, the limit of open files, and the disk space.

import { statfs } from 'node:fs/promises'
import { certificateOf, divideSettings, type Config } from '../../config/config.ts'
import { describeCertificate } from '../../config/certificate.ts'
import { openFileLimit } from '../../runtime/metrics/process.ts'
import { reservedFiles } from '../../server/server.ts'
import { fault, ok, warning, type Outcome } from './finding.ts'

const dayMs = 86_400_000

export function checkCertificate(config: Config): Outcome | undefined {
  const certificate = certificateOf(config)
  if (!certificate) return undefined
  const { names, validFrom, validUntil, isValid } = describeCertificate(certificate)
  const advice = 'Replace the certificate files, then send SIGHUP to the service.'
  if (!isValid) {
    const finding = `The certificate for ${names} is not valid now: it is valid only from ${validFrom} to ${validUntil}.`
    return fault(finding, advice)
  }
  const text = `The certificate for ${names} is valid from ${validFrom} to ${validUntil}`
  if (Date.parse(validUntil) < Date.now() + 14 * dayMs) return warning(`${text}.`, advice)
  return ok(text)
}

export async function checkFiles(config: Config): Promise<Outcome | undefined> {
  const maxFiles = await openFileLimit()
  if (maxFiles === undefined) return undefined
  const ofProcess = divideSettings(config, 1)
  const needed = ofProcess.MAX_CONNECTIONS + reservedFiles(ofProcess)
  const text = `A process may open at most ${maxFiles} files, and needs up to ${needed} for MAX_CONNECTIONS`
  if (needed <= maxFiles) return ok(text)
  return warning(`${text}.`, 'Raise the limit (ulimit -n, or LimitNOFILE= in systemd), or lower MAX_CONNECTIONS.')
}

const megabyteBytes = 1_000_000
const formatSize = (bytes: number) => `${Math.round(bytes / megabyteBytes).toLocaleString('en-US')} MB`

/** The free disk space of a server at DATABASE_URL cannot be read from here. */
export async function checkSpace(config: Config, sizeBytes: number): Promise<Outcome> {
  if (config.DATABASE_URL !== undefined) return ok(`The database uses ${formatSize(sizeBytes)}`)
  const { bavail, bsize } = await statfs(config.DATA_DIR)
  return judgeSpace(bavail * bsize, sizeBytes)
}

export function judgeSpace(freeBytes: number, sizeBytes: number): Outcome {
  const text = `The database uses ${formatSize(sizeBytes)}, and DATA_DIR has ${formatSize(freeBytes)} free`
  const advice = 'Free disk space, or move DATA_DIR while the service is stopped: writes fail on a full disk.'
  if (freeBytes < 100 * megabyteBytes) return fault(`${text}.`, advice)
  if (freeBytes < Math.max(1_000 * megabyteBytes, sizeBytes / 10)) return warning(`${text}.`, advice)
  return ok(text)
}
