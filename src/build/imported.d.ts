// What the build makes modules of (src/build/shared.mjs).

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

declare module '*.client.js' {
  const text: string
  export default text
}

/** The renderer of the reference: its files by their paths, compressed with brotli, in base64. */
declare module 'workgate:renderer' {
  export const files: Readonly<Record<string, string>>
}
