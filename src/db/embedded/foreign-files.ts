// Explains failures in a DATA_DIR with files of another user, such as files that root restored from a backup.

import type { DataFolder } from './data-folder.ts'
import { runAs } from './os-user.ts'

/** Runs the work. If it fails for lack of permission, the error names the file and the command that corrects it. */
export async function explainDenied<Result>(folder: DataFolder, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const file = isDenied(error as Error) ? await findForeignFile(folder) : ''
    if (!file) throw error
    const { path, user } = folder
    const explanation = `DATA_DIR ${path}: ${file} does not belong to user ${user.name}; run chown -hR ${user.name}: ${path}`
    throw new Error(explanation, { cause: error })
  }
}

// Messages of the system, and of PostgreSQL about its data folder.
function isDenied({ message, cause }: Error): boolean {
  const isDeniedHere = /permission denied|not permitted|wrong ownership/i.test(message)
  return isDeniedHere || (cause instanceof Error && isDenied(cause))
}

/** Without `find`, which minimal containers lack, the first error has to suffice. */
async function findForeignFile({ path, user }: DataFolder): Promise<string> {
  const uid = String(user.ids?.uid ?? process.getuid?.())
  const script = `find "$1/." -name lost+found -prune -o ! -user "$2" -print 2>/dev/null | head -n 1`
  const file = await runAs(user, '/bin/sh', ['-c', script, 'sh', path, uid])
  return file.replace('/./', '/').trim()
}
