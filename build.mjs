// One artifact: dist/workgate.mjs, with all code and all SQL inside.

import { build } from 'esbuild'
import { commit } from './src/build/commit.mjs'

await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/workgate.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  loader: { '.sql': 'text', '.html': 'text', '.css': 'text' },
  define: { WORKGATE_COMMIT: JSON.stringify(commit()) ?? 'undefined' },
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'eof',
  logLevel: 'warning',
})
