// Builds the artifact dist/workgate.mjs, which contains all code, all SQL and the pages of the documentation.

import { build } from 'esbuild'
import { readCommit } from './src/build/commit.mjs'
import { shared } from './src/build/shared.mjs'

await build({
  ...shared,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/workgate.mjs',
  define: { WORKGATE_COMMIT: JSON.stringify(readCommit()) ?? 'undefined' },
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'eof',
  logLevel: 'warning',
})
