// Reads the version of Workgate and the commit that it was built from.

import manifest from '../../package.json' with { type: 'json' }

/** Defined by build.mjs if it runs in a clone of the repository. */
declare const WORKGATE_COMMIT: string | undefined

export const version: string = manifest.version

/** Ends with -dirty if files differed from the commit. */
export const commit = typeof WORKGATE_COMMIT === 'string' ? WORKGATE_COMMIT : undefined
