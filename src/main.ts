// The command line. Nothing else touches the environment, the arguments, the signals and the output of the process.

import { readFileSync, realpathSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { demo } from './commands/demo/demo.ts'
import { doctor } from './commands/doctor/doctor.ts'
import { grants } from './commands/grants.ts'
import { health } from './commands/health.ts'
import { help } from './commands/help.ts'
import { UsageError, type Host } from './commands/host.ts'
import { keys } from './commands/keys.ts'
import { migrate } from './commands/migrate.ts'
import { serve } from './commands/serve.ts'
import { worker } from './commands/worker.ts'
import { ConfigError, readCertificate, readConfig } from './config/config.ts'
import { isExecutable, packedPostgres } from './runtime/executable.ts'
import { explain } from './commands/explain.ts'
import { createLog } from './runtime/log.ts'
import { commit, version } from './runtime/version.ts'

const commands: Record<string, (host: Host) => Promise<void>> = { serve, migrate, grants, keys, demo, doctor, health }

const isDeno = 'deno' in process.versions

const readFile = (path: string) => readFileSync(path, 'utf8')
const print = (text: string) => void process.stdout.write(text + '\n')

async function main([name = 'serve', ...args]: string[]): Promise<number> {
  if (name === 'version' || name === '--version') return (print(commit ? `${version} (commit ${commit})` : version), 0)
  if (['help', '--help', '-h'].includes(name)) return (await help({ print }), 0)
  try {
    if (name === 'worker') return (await worker(createWorkerHost()), 0)
    if (!Object.hasOwn(commands, name)) throw new UsageError(`there is no command "${name}"; see workgate help`)
    const takesNone = ['serve', 'migrate', 'grants', 'health'].includes(name)
    if (takesNone && args.length > 0)
      throw new UsageError(`${name} takes no arguments; settings come from the environment, see workgate help`)
    await commands[name]!(createHost(name, args))
    return 0
  } catch (error) {
    process.stderr.write(`workgate: ${explain(error)}\n`)
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  }
}

function createHost(name: string, args: string[]): Host {
  const config = readConfig(process.env, readFile)
  // As of Deno 2.9, a connection that is handed to a worker between messages is never answered.
  if (isDeno && name === 'serve' && config.WORKERS > 1)
    throw new ConfigError(
      'WORKERS must be 1 under Deno, which loses connections between processes: use Node, the executable or the ' +
        'container, or start several services on the database of one server',
    )
  // Beside the service, standard output is for what a command is asked for.
  const stream = name === 'serve' ? process.stdout : process.stderr
  return {
    config,
    program: isExecutable
      ? process.argv0
      : `${isDeno ? 'deno run …' : 'node'} ${relative(process.cwd(), process.argv[1]!)}`,
    log: createLog(
      name === 'serve' || config.LOG_LEVEL === 'debug' ? config.LOG_LEVEL : 'warn',
      (line) => void stream.write(line),
    ),
    args,
    print,
    writeLog: (lines) => void stream.write(lines),
    stopped: name === 'serve' ? untilSignal() : new Promise(() => {}),
    readCertificate: () => readCertificate(process.env, readFile),
    whenToldToReload: name === 'serve' && config.TLS_CERT !== undefined ? catchHangup() : () => {},
    packedPostgres: packedPostgres(),
    // Not before it is asked for: under Deno it takes a permission.
    get binaryRoots() {
      return isExecutable ? [] : [dirname(realpathSync(process.argv[1]!)), process.cwd()]
    },
    path: process.env['PATH'] ?? '',
  }
}

/** A terminal sends its signals to all processes at once; workers are told by the one that started them. */
function createWorkerHost() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return { write: (line: string) => void process.stdout.write(line) }
}

/** The first signal asks to end in good order; a second one does not wait. */
function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    let isAsked = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // Deno calls what is added while a signal is told for that same signal.
      process.on(signal, () => {
        if (isAsked) process.exit(1)
        isAsked = true
        resolve(signal)
      })
    }
  })
}

/** Where there is nothing to reload, SIGHUP ends the process, as it does by itself. */
function catchHangup(): Host['whenToldToReload'] {
  let wasTold = false
  let reload: () => void = () => (wasTold = true)
  process.on('SIGHUP', () => reload())
  return (listener) => {
    reload = listener
    if (wasTold) listener()
  }
}

// Whoever read our output may go away; the service does not end with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// Not awaited: the single executable is a CommonJS module.
void main(process.argv.slice(2)).then((code) => (process.exitCode = code))
