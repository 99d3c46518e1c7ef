// Generates PostgreSQL's configuration files, which are rewritten from the settings of the service at each start.

import { socketPort, type DataFolder } from './data-folder.ts'
import type { OsUser } from './os-user.ts'

/** Values set by ALTER SYSTEM override these. */
export function postgresqlConf(folder: DataFolder, memoryMb: number): string {
  const memoryShare = (divisor: number, minMb: number) => `${Math.max(minMb, Math.floor(memoryMb / divisor))}MB`
  const settings = {
    listen_addresses: '',
    port: socketPort,
    // A list, in which quotes protect commas and spaces.
    unix_socket_directories: `"${folder.path.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',

    // Together with the 25-50 MB of the processes themselves, these use about memoryMb under load.
    shared_buffers: memoryShare(4, 8),
    maintenance_work_mem: memoryShare(8, 8),
    work_mem: memoryShare(64, 2),
    autovacuum_max_workers: 2,
    jit: 'off',

    // The default, posix, needs a /dev/shm that PostgreSQL's user can write to: a minimal system has none, and a
    // container's is small. macOS has very little sysv memory.
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: 'sysv' }),

    fsync: 'on',
    full_page_writes: 'on',

    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',

    // Seven files, each truncated after a week. Messages about statements and their details contain project data, so
    // only messages about the server are logged: "log" ranks above "error" here, and "terse" omits the details.
    logging_collector: 'on',
    log_directory: `${folder.path}/log`,
    log_filename: 'postgresql-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: 0,
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quote(String(value))}\n`)
  return '# Overwritten at each start. Use ALTER SYSTEM for your own settings.\n' + lines.join('')
}

/** The kernel identifies the connecting user; pg_ident.conf lists the users that are allowed. */
export const pgHbaConf = `# Overwritten at each start.
local all all peer map=workgate
local replication all peer map=workgate
`

export function pgIdentConf(user: OsUser, major: number): string {
  // PostgreSQL 16 and later accept "all" as the role.
  const roles = major >= 16 ? ['all'] : ['workgate', 'workgate_api']
  const lines = ['root', user.name].flatMap((name) => roles.map((role) => `workgate "${name}" ${role}\n`))
  return '# Overwritten at each start.\n' + lines.join('')
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
