// A standby that serves reads: its pool, and what it has replayed. It is asked regularly, also while no request needs it,
// so that one that does not respond is noticed before its statements reach their time limit, and used again when it does.

import type { Log } from '../../runtime/log.ts'
import { describeHosts } from '../database-url.ts'
import { DatabaseUnavailable, describeCause } from '../errors.ts'
import { openConnection, type Connection } from '../pool/connection.ts'
import { openPool, type PoolOptions, type LogPosition, type Runner } from '../pool/pool.ts'
import { readReplayed, type Replayed } from './replayed.ts'
import { isDoneIn, standbyConnections } from './standby-connection.ts'

const askEveryMs = 100
/** While it is behind. */
const askAgainMs = 5
const retryEveryMs = 1_000
/** A statement that takes longer continues only if the standby still answers within this time. */
const silenceMs = 20
/** After this long without an answer, all its connections are closed. */
const maxSilenceMs = 500

export type Replica = ReturnType<typeof openReplica>

export function openReplica(url: string, given: PoolOptions, log: Log) {
  const name = describeHosts(url)
  const options = { ...given, target: { url } }
  const pool = openPool(options, 'custom', { connect: standbyConnections(note), maxAttempts: 1 })
  /** Undefined while it does not respond. */
  let replayed: Replayed | undefined
  /** A position that it had not reached in time. Until it has, it gets no statements that need a later one. */
  let missed: bigint | undefined
  /** As it was last reported. */
  let isUsable: boolean | undefined
  let question: Promise<boolean> | undefined
  let watching: Connection | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function note(now: Replayed) {
    replayed = now
    if (missed !== undefined && now.lsn >= missed) missed = undefined
    if (now.isStandby) report(true)
    else report(false, 'not a standby')
  }

  function report(now: boolean, cause?: unknown) {
    if (now === isUsable) return
    isUsable = now
    if (now) log.info('replica is used', { replica: name })
    else log.warn('replica is not used', { replica: name, cause })
  }

  async function ask() {
    watching ??= openWatching()
    const { destroy } = watching
    const asked = readReplayed(watching).then(note)
    try {
      if (!(await isDoneIn(maxSilenceMs, asked))) destroy('no response')
      await asked
    } catch (error) {
      if (isClosed) return
      replayed = undefined
      report(false, describeCause(error))
      destroy('the standby could not be asked')
      pool.closeConnections('the standby could not be asked')
    } finally {
      if (!isClosed) askIn(!replayed ? retryEveryMs : missed === undefined ? askEveryMs : askAgainMs)
    }
  }

  function askIn(ms: number) {
    timer = setTimeout(() => {
      timer = undefined
      void ask()
    }, ms).unref()
  }

  function openWatching(): Connection {
    const connection = openConnection(options.target, 'generic', { statement_timeout: maxSilenceMs }, () => {
      if (watching === connection) watching = undefined
    })
    return connection
  }

  async function answers(): Promise<boolean> {
    if (!watching) return false
    // All statements that wait share the question.
    question ??= isDoneIn(silenceMs, readReplayed(watching).then(note))
    const hasAnswered = await question
    question = undefined
    if (!hasAnswered) replayed = undefined
    return hasAnswered
  }

  void ask()

  return {
    /** Fails early if the standby does not respond any more. */
    async run<Row>(...statement: Parameters<Runner['run']>): Promise<Row[]> {
      const rows = pool.run<Row>(...statement)
      while (!(await isDoneIn(silenceMs, rows)))
        if (!(await answers())) throw new DatabaseUnavailable('the standby does not respond')
      return rows
    },
    markActive: pool.markActive,
    get counts() {
      return pool.counts
    },
    /** The host and the port. */
    name,
    get isUsable() {
      return isUsable === true
    },
    get replayed() {
      return replayed
    },
    /** False if a statement that needs this position should not even ask. */
    mayHaveReached: (position: LogPosition) =>
      replayed?.isStandby === true &&
      replayed.epoch === position.epoch &&
      (missed === undefined || replayed.lsn >= position.lsn),
    noteMissed({ lsn }: LogPosition) {
      missed = lsn
      if (!timer) return
      clearTimeout(timer)
      askIn(askAgainMs)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await Promise.all([pool.close(), watching?.end(1)])
    },
  }
}
