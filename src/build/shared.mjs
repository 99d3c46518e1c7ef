// Options of esbuild that the artifact and the tests share.

import { explorerModule } from './explorer.mjs'
import { guidesModule } from './guide.mjs'
import { rendererModule } from './renderer.mjs'

/** Files that are imported as text. */
export const textEndings = ['.sql', '.html', '.css', '.svg', '.txt', '.yaml', '.service', '.client.js']

/** Modules that are generated, by name. */
export const generatedModules = {
  'workgate:explorer': explorerModule,
  'workgate:guides': guidesModule,
  'workgate:renderer': rendererModule,
}

/** @type {import('esbuild').Plugin} */
const generated = {
  name: 'generated',
  setup(build) {
    build.onResolve({ filter: /^workgate:/ }, ({ path }) => ({ path, namespace: 'generated' }))
    build.onLoad({ filter: /./, namespace: 'generated' }, ({ path }) => {
      try {
        return { contents: generatedModules[path](), loader: 'js' }
      } catch (error) {
        // Without the stack, which would hide the message.
        return { errors: [{ text: error.message, detail: error }] }
      }
    })
  },
}

/** @type {import('esbuild').BuildOptions} */
export const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  tsconfigRaw: {}, // The compiler's settings change nothing in the output, and are missing where only the source is.
  loader: Object.fromEntries(textEndings.map((ending) => [ending, 'text'])),
  plugins: [generated],
}
