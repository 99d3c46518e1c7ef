// workgate doctor: checks the installation, and reports one line for each check.

import { checkCompaction, checkJournal, checkMigrations, checkTallies, checkTriggers } from './schema.ts'
import { readCluster } from '../../db/citus/cluster.ts'
import { isDistributedIn } from '../distribute/usable-cluster.ts'
import { checkCluster } from './cluster.ts'
import { checkKeys } from './keys.ts'
import { checkLoad } from './load.ts'
import { formatCount, fault, formatFinding, type CheckName, type Finding, type Outcome } from './finding.ts'
import { checkCertificate, checkFiles, checkSpace } from './machine.ts'
import { checkOrphans } from './orphans.ts'
import { checkParts } from './parts.ts'
import { checkReplicas } from './replicas.ts'
import { checkRole, readAsService } from './role.ts'
import { checkStages } from './stages.ts'
import {
  checkClock,
  checkConnections,
  checkDurability,
  checkSession,
  checkText,
  checkUpkeep,
  checkVersion,
  checkWrites,
} from './server.ts'
import { describeError } from '../describe-error.ts'
import { UsageError, type CommandContext } from '../command-context.ts'
import { parseOptions } from '../parse-options.ts'
import { asTyped } from '../program.ts'
import { withDatabase } from '../with-database.ts'

export const doctorUsage = `workgate doctor [--repair [--yes]] [--json]`

/** Reports what a check found, or nothing if there was nothing to check. Returns whether it is a fault. */
type Report = (check: CheckName, outcome: Outcome | undefined) => boolean

export async function doctor(context: CommandContext): Promise<void> {
  const { repair, yes, json } = readOptions(context.args)
  const confirm = yes ? async () => true : context.ask
  const findings: Finding[] = []
  const report: Report = (check, outcome) => {
    if (!outcome) return false
    const finding = { check, ...outcome }
    findings.push(finding)
    if (!json) context.print(asTyped(formatFinding(finding), context.program))
    return outcome.state === 'fault'
  }
  try {
    await runChecks(context, repair, confirm, report)
  } catch (error) {
    report('database', fault(`${describeError(error)}.`, 'The remaining checks were not run.'))
  }
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  const [faults, warnings] = [count('fault'), count('warning')]
  if (json) context.print(JSON.stringify({ faults, warnings, findings }))
  else context.print(`${formatCount(faults, 'fault')}, ${formatCount(warnings, 'warning')}`)
  if (faults > 0) throw new Error(`the doctor found ${formatCount(faults, 'fault')}`)
}

/** Runs the checks in order: each may rely on those before it. A fault in role, migrations or schema ends them. */
async function runChecks(
  context: CommandContext,
  repair: boolean,
  confirm: CommandContext['ask'],
  report: Report,
): Promise<void> {
  const { config } = context
  report('certificate', checkCertificate(config))
  report('files', await checkFiles(config))
  report('load', await checkLoad(config))
  await withDatabase(context, (db, target) =>
    // In a session, since counting many rows may exceed the statement timeout.
    db.session(async (session) => {
      const found = await readAsService(session, target)
      const { server } = found
      report('version', checkVersion(server))
      report('text', checkText(server))
      report('writes', checkWrites(server))
      report('durability', checkDurability(server))
      report('upkeep', checkUpkeep(server))
      report('connections', checkConnections(server, config))
      report('session', await checkSession(db, config))
      report('clock', await checkClock(session))
      report('space', await checkSpace(config, Number(server.sizeBytes)))
      if (report('role', checkRole(found, target))) return
      if (report('migrations', await checkMigrations(session))) return
      const cluster = await readCluster(session)
      if (isDistributedIn(cluster)) {
        // The schema, the journal and the tallies are those of each node.
        report('cluster', await checkCluster(session, { url: config.DATABASE_URL! }, cluster))
        report('keys', await checkKeys(session, config))
        return
      }
      if (report('schema', await checkParts(session))) return
      report('replicas', await checkReplicas(session, config.DATABASE_REPLICAS))
      report('keys', await checkKeys(session, config))
      report('compaction', await checkCompaction(session))
      report('journal', await checkJournal(session, config.CHANGES_KEPT_DAYS))
      report('stages', await checkStages(session))
      report('triggers', await checkTriggers(session, repair))
      report('orphans', await checkOrphans(session, repair, confirm))
      report('tallies', await checkTallies(session, repair, context.progress))
    }),
  )
}

function readOptions(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseOptions(args, { repair: flag, yes: flag, json: flag }, doctorUsage)
  if (values.yes && !values.repair) throw new UsageError(`--yes needs --repair\n\n${doctorUsage}`)
  return values
}
