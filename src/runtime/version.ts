import manifest from '../../package.json' with { type: 'json' }

/** Put in by build.mjs, where it is made in a clone of the repository. */
declare const WORKGATE_COMMIT: string | undefined

export const version: string = manifest.version

/** What it was built from; ends with -dirty where files differed from the commit. */
export const commit = typeof WORKGATE_COMMIT === 'string' ? WORKGATE_COMMIT : undefined
