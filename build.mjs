// Builds the artifact dist/workgate.mjs, which contains all code, all SQL and the pages of the documentation.

import { build } from 'esbuild'
import { artifact, hashInputs, writeArtifact } from './src/build/artifact.mjs'
import { readCommit } from './src/build/commit.mjs'
import { shared } from './src/build/shared.mjs'

// Before the build reads them: a file that changes in the meantime makes the next start build again.
const inputs = hashInputs()
const { outputFiles } = await build({
  ...shared,
  entryPoints: ['src/main.ts'],
  outfile: artifact,
  write: false,
  define: { WORKGATE_COMMIT: JSON.stringify(readCommit()) ?? 'undefined' },
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'eof',
  logLevel: 'warning',
})
writeArtifact(outputFiles[0].text, inputs)
