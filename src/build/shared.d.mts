import type { BuildOptions } from 'esbuild'

export const shared: BuildOptions
