// Declares the modules that the build generates from other files (see src/build/shared.mjs).

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.html' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.svg' {
  const text: string
  export default text
}

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.yaml' {
  const text: string
  export default text
}

declare module '*.service' {
  const text: string
  export default text
}

declare module '*.client.js' {
  const text: string
  export default text
}

/** The guides by the names of their files; see src/build/guide.mjs. */
declare module 'workgate:guides' {
  export const guides: Readonly<Record<string, import('./guide.d.mts').GuideParts>>
}

/** The script and the style of the explorer, for browsers. */
declare module 'workgate:explorer' {
  export const script: string
  /** In base64. */
  export const brotliScript: string
  export const style: string
}

/** The renderer of the API reference: its files by path, compressed with brotli and encoded in base64. */
declare module 'workgate:renderer' {
  export const files: Readonly<Record<string, string>>
}
