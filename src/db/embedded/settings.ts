// What PostgreSQL is told: written at each start, so that it follows what the service is told.

import { socketPort, type DataFolder } from './data-folder.ts'
import type { OsUser } from './os-user.ts'

/** Values set by ALTER SYSTEM win over these. */
export function configuration(folder: DataFolder, memoryMb: number): string {
  const share = (divisor: number, least: number) => `${Math.max(least, Math.floor(memoryMb / divisor))}MB`
  const settings = {
    listen_addresses: '',
    port: socketPort,
    // A list, in which quotes protect commas and spaces.
    unix_socket_directories: `"${folder.path.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',

    // Together with the processes' own 25-50 MB about memoryMb under load.
    shared_buffers: share(4, 8),
    maintenance_work_mem: share(8, 8),
    work_mem: share(64, 2),
    autovacuum_max_workers: 2,
    jit: 'off',

    // The usual kind needs a /dev/shm that PostgreSQL's user may write to: a bare system has none, and a container a small
    // one. macOS has hardly any of this kind.
    ...(process.platform === 'linux' && { dynamic_shared_memory_type: 'sysv' }),

    fsync: 'on',
    full_page_writes: 'on',

    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',

    // Seven files, each emptied after a week. Messages of statements and their details hold data of projects, so only
    // what PostgreSQL says about itself gets in: "log" is above "error" here, "terse" leaves the details out.
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
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${quoted(String(value))}\n`)
  return '# Written at each start. For settings of your own use ALTER SYSTEM.\n' + lines.join('')
}

/** Everybody who connects is known by the kernel; who may is said by the map below. */
export const hostBasedAuthentication = `# Written at each start.
local all all peer map=workgate
local replication all peer map=workgate
`

export function userMap(user: OsUser, major: number): string {
  // "all" as the role is understood since 16.
  const roles = major >= 16 ? ['all'] : ['workgate', 'workgate_api']
  const lines = ['root', user.name].flatMap((name) => roles.map((role) => `workgate "${name}" ${role}\n`))
  return '# Written at each start.\n' + lines.join('')
}

function quoted(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
