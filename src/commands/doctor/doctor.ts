// workgate doctor: whether all is as the service needs it, in plain words.

import { parseArgs } from 'node:util'
import { checkCompaction } from './compaction.ts'
import { checkKeys } from './keys.ts'
import { counted, fault, lineOf, type Finding } from './finding.ts'
import { checkCertificate, checkFiles, checkSpace } from './machine.ts'
import { checkParts } from './parts.ts'
import { checkRole } from './role.ts'
import { checkMigrations, checkTallies, checkTriggers } from './schema.ts'
import {
  checkClock,
  checkConnections,
  checkDurability,
  checkSession,
  checkText,
  checkUpkeep,
  checkVersion,
  checkWrites,
  readServer,
} from './server.ts'
import { explain } from '../explain.ts'
import { UsageError, type Host } from '../host.ts'
import { withDatabase } from '../with-database.ts'

export const doctorUsage = `workgate doctor [--repair] [--json]`

/** Something is not as it should be; what it is has been printed. */
export class Faults extends Error {
  override name = 'Faults'
}

type Tell = (...findings: Finding[]) => void

export async function doctor(host: Host): Promise<void> {
  const { repair, json } = readOptions(host.args)
  const findings: Finding[] = []
  const tell: Tell = (...found) => {
    findings.push(...found)
    if (!json) for (const finding of found) host.print(lineOf(finding))
  }
  try {
    await examine(host, repair, tell)
  } catch (error) {
    tell(fault('database', `${explain(error)}.`, 'Nothing else could be looked at.'))
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  if (json) host.print(JSON.stringify({ faults, warnings, findings }))
  else host.print(`${counted(faults, 'fault')}, ${counted(warnings, 'warning')}`)
  if (faults > 0) throw new Faults(`the doctor found ${counted(faults, 'fault')}`)
}

/** From what needs nothing to what needs all before it. */
async function examine(host: Host, repair: boolean, tell: Tell): Promise<void> {
  const { config } = host
  tell(...checkCertificate(config), ...(await checkFiles(config)))
  await withDatabase(host, (db) =>
    // A session has no limit of time: with many rows it takes a while.
    db.session(async (session) => {
      const server = await readServer(session)
      tell(checkVersion(server), checkText(server), checkWrites(server), checkDurability(server), checkUpkeep(server))
      tell(checkConnections(server, config), await checkSession(db, config), await checkClock(session))
      tell(await checkSpace(config, Number(server.sizeBytes)))
      for (const check of [
        () => checkRole(session, server, config.DATABASE_URL === undefined),
        () => checkMigrations(session),
        () => checkParts(session),
      ]) {
        const finding = await check()
        tell(finding)
        if (finding.state === 'fault') return
      }
      tell(await checkKeys(session, config), await checkCompaction(session))
      tell(await checkTriggers(session, repair))
      tell(await checkTallies(session, repair))
    }),
  )
}

function readOptions(args: readonly string[]) {
  try {
    const options = { repair: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${doctorUsage}`)
  }
}
