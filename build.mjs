// One artifact: dist/workgate.mjs, with all code, all SQL and the pages of the documentation inside.

import { build } from 'esbuild'
import { shared } from './build/shared.mjs'

await build({
  ...shared,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/workgate.mjs',
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'eof',
  logLevel: 'warning',
})
