// Character references of HTML and Markdown: those that every writer knows, and all numbers.

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' }

export const decode = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (reference, digits?: string, hex?: string, name = '') => {
      const code = digits ? Number(digits) : hex ? parseInt(hex, 16) : 0
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (named[name] ?? reference)
    },
  )
