// Options of esbuild that the artifact and the tests share.

import { loadGuide } from './guide.mjs'
import { rendererModule, rendererName } from './renderer.mjs'

/** Files that are imported as text. */
export const textEndings = ['.sql', '.html', '.css', '.svg', '.txt', '.client.js']

/** @type {import('esbuild').Plugin} */
const renderer = {
  name: 'renderer',
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${rendererName}$`) }, ({ path }) => ({ path, namespace: 'renderer' }))
    build.onLoad({ filter: /./, namespace: 'renderer' }, () => {
      try {
        return { contents: rendererModule(), loader: 'js' }
      } catch (error) {
        // Without the stack, which would hide the message.
        return { errors: [{ text: error.message, detail: error }] }
      }
    })
  },
}

/** @type {import('esbuild').Plugin} */
const guides = {
  name: 'guides',
  setup(build) {
    build.onLoad({ filter: /\.md$/ }, ({ path }) => ({
      contents: JSON.stringify(loadGuide(path)),
      loader: 'json',
    }))
  },
}

/** @type {import('esbuild').BuildOptions} */
export const shared = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  loader: Object.fromEntries(textEndings.map((ending) => [ending, 'text'])),
  plugins: [renderer, guides],
}
