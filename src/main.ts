// Runs the command line. No other file uses the environment, arguments, signals or output of the process.

import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { backup } from './commands/backup/backup.ts'
import { restore } from './commands/backup/restore.ts'
import { demo } from './commands/demo/demo.ts'
import { distribute } from './commands/distribute/distribute.ts'
import { doctor } from './commands/doctor/doctor.ts'
import { exportFile } from './commands/export.ts'
import { fields } from './commands/fields/fields.ts'
import { grants } from './commands/grants.ts'
import { health } from './commands/health.ts'
import { helpText, takesNoArguments, unexpectedArguments, unknownCommand } from './commands/help.ts'
import { IncompleteError, UsageError, type CommandContext } from './commands/command-context.ts'
import { importFile } from './commands/import/import.ts'
import { keys } from './commands/keys.ts'
import { migrate } from './commands/migrate.ts'
import { imports } from './commands/imports/imports.ts'
import { people } from './commands/people/people.ts'
import { projects } from './commands/projects/projects.ts'
import { unit } from './commands/unit/unit.ts'
import { asTyped, describeProgram, type Container } from './commands/program.ts'
import { serve } from './commands/serve.ts'
import { sql } from './commands/sql/sql.ts'
import { worker } from './commands/worker.ts'
import { ConfigError, readCertificate, readConfig } from './config/config.ts'
import { isExecutable, packedPostgres, commit, version } from './runtime/program.ts'
import { describeError } from './commands/describe-error.ts'
import { escapeLines } from './runtime/text-lines.ts'
import { createLineBatch } from './runtime/line-batch.ts'
import { createLog } from './runtime/log.ts'
import { createProgress } from './runtime/progress.ts'
import { createTerminal } from './runtime/terminal.ts'

const commands: Record<string, (context: CommandContext) => Promise<void>> = {
  serve,
  migrate,
  grants,
  keys,
  projects,
  fields,
  imports,
  people,
  demo,
  doctor,
  health,
  import: importFile,
  export: exportFile,
  backup,
  restore,
  distribute,
  sql,
  unit,
}

const isDeno = 'deno' in process.versions

const readFile = (path: string) => readFileSync(path, 'utf8')

const terminal = createTerminal(process.stdout, process.stderr, process.env)
const { writeOutput, writeError } = terminal
const print = (text: string) => writeOutput(escapeLines(text) + '\n')

/** The log of the service. Exiting ends the turn of the event loop in which the lines would be written. */
const output = createLineBatch(writeOutput)
process.on('exit', output.flush)

async function main(args: string[]): Promise<number> {
  try {
    await run(args)
    return 0
  } catch (error) {
    output.flush()
    writeError(`workgate: ${escapeLines(asTyped(describeError(error), program()))}\n`)
    if (error instanceof IncompleteError) return 3
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1
  }
}

async function run([name = 'serve', ...args]: string[]): Promise<void> {
  if (name === 'version' || name === '--version') return print(commit ? `${version} (commit ${commit})` : version)
  const helpTopic = findHelpTopic([name, ...args])
  if (helpTopic) return print(asTyped(helpText(helpTopic), program()))
  if (name === 'worker') return runWorker()
  if (!Object.hasOwn(commands, name)) throw unknownCommand(name)
  if (takesNoArguments(name) && args.length > 0) throw unexpectedArguments(name, args)
  await commands[name]!(createContext(name, args))
}

/** Returns the words of the command whose usage is requested, as by `help keys`, `keys --help` or `keys create -h`. */
function findHelpTopic(words: readonly string[]): readonly string[] | undefined {
  const end = words.indexOf('--')
  const at = words.findIndex((word) => word === '--help' || word === '-h')
  const isRequested = at >= 0 && (end < 0 || at < end)
  if (!isRequested && words[0] !== 'help') return undefined
  const command = isRequested ? words.slice(0, at) : words
  return command[0] === 'help' ? command.slice(1) : command
}

function createContext(name: string, args: string[]): CommandContext {
  const config = readConfig(process.env, readFile)
  // In Deno 2.9, a connection that is passed to a worker between messages never gets a response.
  if (isDeno && name === 'serve' && config.WORKERS > 1)
    throw new ConfigError(
      'WORKERS must be 1 under Deno, which loses connections between processes: use Node, the executable or the ' +
        'container, or start several services on one PostgreSQL server',
    )
  // Except for serve, standard output is for the output of the command.
  const isService = name === 'serve'
  const level = isService || config.LOG_LEVEL === 'debug' ? config.LOG_LEVEL : 'warn'
  const logStyle = terminal.logStyle(config.LOG_FORMAT, isService)
  const log = createLog(level, isService ? output.add : writeError, {}, logStyle)
  return {
    config,
    program: program(),
    commandLine: [
      process.execPath,
      ...(isDeno ? ['run', '--no-prompt', '--allow-all'] : []),
      ...(isExecutable ? [] : [process.argv[1]!]),
    ],
    log,
    logStyle,
    progress: createProgress(terminal.progressDisplay(log, isService)),
    args,
    print,
    output: process.stdout,
    // Opening it can keep the process running.
    get input() {
      return process.stdin
    },
    ask: isatty(0) && isatty(2) ? ask : undefined,
    writeLog(lines) {
      output.flush()
      writeOutput(lines)
    },
    stopped: isService ? waitForStopSignal() : new Promise(() => {}),
    readCertificate: () => readCertificate(process.env, readFile),
    onReload: isService && config.TLS_CERT !== undefined ? listenForHangup() : () => {},
    packedPostgres: packedPostgres(),
    // Read only if needed: Deno requires a permission for it.
    get binaryRoots() {
      return isExecutable ? [] : [dirname(realpathSync(process.argv[1]!)), process.cwd()]
    },
    path: process.env['PATH'] ?? '',
  }
}

async function ask(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim())
  } finally {
    terminal.close()
  }
}

function program(): string {
  return describeProgram({
    kind: isExecutable ? 'executable' : isDeno ? 'deno' : 'node',
    path: isExecutable ? process.argv0 : process.argv[1]!,
    folder: process.cwd(),
    environment: process.env,
    container: process.pid === 1 && !isDeno ? findContainer() : undefined,
  })
}

function findContainer(): Container {
  const engine = existsSync('/.dockerenv') ? 'docker' : existsSync('/run/.containerenv') ? 'podman' : undefined
  return { engine, hostname: hostname() }
}

/** Ignores signals: a terminal sends them to all processes at once, and the primary process tells the workers. */
function runWorker(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return worker(output.add)
}

/** The terminal sends Ctrl+C to the service and to npm, which sends it to the service again. */
const repeatedInterruptMs = 500

/** The first signal starts a graceful shutdown; a second one ends the process at once. */
function waitForStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: { signal: string; at: number } | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      // One listener for both: Deno also calls listeners that are added while a signal is delivered.
      process.on(signal, () => {
        const isInterrupt = signal === 'SIGINT' && first?.signal === signal
        const isRepeated = isInterrupt && performance.now() - first!.at < repeatedInterruptMs
        if (first && !isRepeated) process.exit(1)
        first ??= { signal, at: performance.now() }
        resolve(signal)
      })
    }
  })
}

/** Called only if there is something to reload. Otherwise SIGHUP ends the process, which is the default. */
function listenForHangup(): CommandContext['onReload'] {
  let isReloadPending = false
  let reload: () => void = () => (isReloadPending = true)
  process.on('SIGHUP', () => reload())
  return (listener) => {
    reload = listener
    if (isReloadPending) listener()
  }
}

// If the reader of the output ends, the service must not end with it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// Not awaited: the single executable is a CommonJS module.
void main(process.argv.slice(2)).then((code) => (process.exitCode = code))
