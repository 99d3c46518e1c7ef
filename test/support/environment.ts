// What run.ts tells the test files.

export interface Run {
  /** The address of a database of the server that the tests share; clones are made of its database "template". */
  server: string
  /** The whole app called as a function, or the built artifact as a process. */
  target: 'process' | 'artifact'
  /** How the built artifact is called, word by word, from whatever folder. */
  program: readonly string[]
  /** A data folder of the embedded database with the schema and nothing in it, to be copied. */
  dataFolder?: string
  /** Every service has an embedded database of its own. */
  own: boolean
  /** Whether there is time for all that random tests can try. */
  thorough: boolean
  /** The file with the checks that answers have to pass. */
  answers: string
  /** The service has no more rights in the database than it needs. */
  least: boolean
  /** The address of PgBouncer, through which the service comes to that server; absent: it comes directly. */
  pooler?: string
  /** The folder where output and secrets are kept. */
  logs: string
  /** Where the PostgreSQL programs are that fault tests start; absent: the embedded ones. */
  postgresBin?: string
}

export function run(): Run {
  const text = process.env['WORKGATE_TEST']
  if (text === undefined) throw new Error('run the tests with "npm test", which starts their database')
  return JSON.parse(text) as Run
}

/** How often something is tried at random. */
export const rounds = (few: number, many: number): number => (run().thorough ? many : few)
