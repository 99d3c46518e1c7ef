// Whether the machine has room for what the settings promise.

import { statfs } from 'node:fs/promises'
import { certificateOf, type Config } from '../../config/config.ts'
import { quickConnections } from '../../db/database.ts'
import { describeCertificate } from '../../config/certificate.ts'
import { openFileLimit } from '../../runtime/metrics/process.ts'
import { divideSettings } from '../../server/workers/divide-settings.ts'
import { fault, ok, warning, type Finding } from './finding.ts'

const day = 86_400_000

export function checkCertificate(config: Config): Finding[] {
  const certificate = certificateOf(config)
  if (!certificate) return []
  const { names, validFrom, validUntil, isValid } = describeCertificate(certificate)
  const what = `The certificate for ${names} is valid from ${validFrom} to ${validUntil}`
  const advice = 'Replace the files, and send SIGHUP to the service.'
  if (!isValid) return [fault('certificate', `${what}, which is not now.`, advice)]
  if (Date.parse(validUntil) < Date.now() + 14 * day) return [warning('certificate', `${what}.`, advice)]
  return [ok('certificate', what)]
}

/** Of the libraries, the log, and what is opened for a moment. */
const otherFiles = 100

export async function checkFiles(config: Config): Promise<Finding[]> {
  const most = await openFileLimit()
  if (most === undefined) return []
  const { MAX_CONNECTIONS, DATABASE_POOL } = divideSettings(config, 1)
  const needed = MAX_CONNECTIONS + DATABASE_POOL + quickConnections + otherFiles
  const what = `A process may have ${most} files open, and ${needed} with all of MAX_CONNECTIONS`
  if (needed <= most) return [ok('files', what)]
  return [
    warning('files', `${what}.`, 'Raise the limit (ulimit -n, or LimitNOFILE= of systemd), or lower MAX_CONNECTIONS.'),
  ]
}

const megabyte = 1_000_000
const size = (bytes: number) => `${Math.round(bytes / megabyte).toLocaleString('en-US')} MB`

/** Of a server's disk nobody tells us. */
export async function checkSpace(config: Config, sizeBytes: number): Promise<Finding> {
  if (config.DATABASE_URL !== undefined) return ok('space', `The database takes ${size(sizeBytes)}`)
  const { bavail, bsize } = await statfs(config.DATA_DIR)
  return judgeSpace(bavail * bsize, sizeBytes)
}

export function judgeSpace(freeBytes: number, sizeBytes: number): Finding {
  const what = `The database takes ${size(sizeBytes)}, and DATA_DIR has ${size(freeBytes)} left`
  const advice = 'Make room, or move DATA_DIR while the service is stopped: on a full disk nothing can be written.'
  if (freeBytes < 100 * megabyte) return fault('space', `${what}.`, advice)
  if (freeBytes < Math.max(1_000 * megabyte, sizeBytes / 10)) return warning('space', `${what}.`, advice)
  return ok('space', what)
}
