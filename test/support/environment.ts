// The settings that run.ts passes to the test files.

export interface Run {
  /** The URL of a database on the shared server. Test databases are copies of its template_workgate. */
  server: string
  /** Calls the whole app as a function, or starts the built artifact as a process. */
  target: 'process' | 'artifact'
  /** The command that runs the built artifact, as words that work in any folder. */
  program: readonly string[]
  /** A data folder of the embedded database with the schema and no rows, to be copied. */
  dataFolder?: string
  /** True if each service runs its own embedded database. */
  own: boolean
  /** True if random tests run their larger number of rounds. */
  thorough: boolean
  /** The folder of the built tests and of the validators of responses. */
  built: string
  /** True if the service connects with least privilege, as workgate_api. */
  least: boolean
  /** The URL of PgBouncer, if the service connects to the shared server through it. */
  pooler?: string
  /** The servers of a Citus cluster, the coordinator first: each has every database. */
  citus?: readonly string[]
  /** The folder that collects output and secrets. */
  logs: string
  /** The folder of the PostgreSQL programs that fault tests start; absent: the embedded ones. */
  postgresBin?: string
}

export function run(): Run {
  const text = process.env['WORKGATE_TEST']
  if (text === undefined) throw new Error('run the tests with "npm test", which starts their database')
  return JSON.parse(text) as Run
}

/** Returns the number of rounds of a random test. */
export const rounds = (few: number, many: number): number => (run().thorough ? many : few)
