// Escapes characters that control a terminal or change the direction of the writing: names may contain them.

/** The escapes are those of JSON, so that JSON stays valid. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Keeps line breaks. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeText).join('\n')
