// workgate doctor: checks the installation, and reports one line for each check.

import { checkCompaction, checkMigrations, checkTallies, checkTriggers } from './schema.ts'
import { checkKeys } from './keys.ts'
import { checkLoad } from './load.ts'
import { formatCount, fault, formatFinding, type Finding } from './finding.ts'
import { checkCertificate, checkFiles, checkSpace } from './machine.ts'
import { checkParts } from './parts.ts'
import { checkRole } from './role.ts'
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
import { describeError } from '../describe-error.ts'
import type { CommandContext } from '../command-context.ts'
import { parseOptions } from '../parse-options.ts'
import { asTyped } from '../program.ts'
import { withDatabase } from '../with-database.ts'

export const doctorUsage = `workgate doctor [--repair] [--json]`

/** The checks found faults, which are already printed: the process exits with code 1. */
export class FaultsFound extends Error {
  override name = 'Faults'
}

type Report = (...findings: Finding[]) => void

export async function doctor(context: CommandContext): Promise<void> {
  const { repair, json } = readOptions(context.args)
  const findings: Finding[] = []
  const report: Report = (...found) => {
    findings.push(...found)
    if (!json) for (const finding of found) context.print(asTyped(formatFinding(finding), context.program))
  }
  try {
    await runChecks(context, repair, report)
  } catch (error) {
    report(fault('database', `${describeError(error)}.`, 'The remaining checks were not run.'))
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  if (json) context.print(JSON.stringify({ faults, warnings, findings }))
  else context.print(`${formatCount(faults, 'fault')}, ${formatCount(warnings, 'warning')}`)
  if (faults > 0) throw new FaultsFound(`the doctor found ${formatCount(faults, 'fault')}`)
}

/** Runs the checks in order: each may rely on those before it. A fault in role, migrations or schema ends them. */
async function runChecks(context: CommandContext, repair: boolean, report: Report): Promise<void> {
  const { config } = context
  report(...checkCertificate(config), ...(await checkFiles(config)), ...(await checkLoad(config)))
  await withDatabase(context, (db) =>
    // In a session, since counting many rows may exceed the statement timeout.
    db.session(async (session) => {
      const server = await readServer(session)
      report(checkVersion(server), checkText(server), checkWrites(server), checkDurability(server), checkUpkeep(server))
      report(checkConnections(server, config), await checkSession(db, config), await checkClock(session))
      report(await checkSpace(config, Number(server.sizeBytes)))
      for (const check of [
        () => checkRole(session, server, config.DATABASE_URL === undefined),
        () => checkMigrations(session),
        () => checkParts(session),
      ]) {
        const finding = await check()
        report(finding)
        if (finding.state === 'fault') return
      }
      report(await checkKeys(session, config), await checkCompaction(session))
      report(await checkTriggers(session, repair))
      report(await checkTallies(session, repair, context.progress))
    }),
  )
}

function readOptions(args: readonly string[]) {
  const options = { repair: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } } as const
  return parseOptions(args, options, doctorUsage).values
}
