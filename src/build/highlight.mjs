// Highlights code samples: comments, strings, member names and numbers. It recognizes only
// tokens that look the same in all languages of the guides. Input and output are HTML.

const tokenPattern =
  /(?<comment>(?<=^|\s)(?:\/\/|--|#) .*$)|(?<member>"[^"\n]*")(?=:)|(?<string>"[^"\n]*"|'[^'\n]*')|(?<number>(?<=[:[,] ?)-?\d+(?:\.\d+)?(?=\s*[,\]}]|$)|\b(?:true|false|null)\b)/gm

/** @param {string} code */
export function highlightCode(code) {
  return code.replace(tokenPattern, (text, ...matches) => {
    const groups = matches.at(-1)
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    return `<span class="${kind}">${text}</span>`
  })
}
