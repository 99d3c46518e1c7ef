// Declares the modules that the build generates from other files (see src/build/shared.mjs).

declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.html' {
  const text: string
  export default text
}

/** A guide; see src/build/guide.mjs. */
declare module '*.md' {
  const guide: import('./guide.d.mts').GuideParts
  export default guide
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

declare module '*.client.js' {
  const text: string
  export default text
}

/** The renderer of the API reference: its files by path, compressed with brotli and encoded in base64. */
declare module 'workgate:renderer' {
  export const files: Readonly<Record<string, string>>
}
