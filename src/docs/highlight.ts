// A little colour for samples of code: comments, strings, the names of members and numbers. It knows no language, and so
// takes no more than what looks the same in all that stand in the guides. What comes and what goes is HTML.

const token =
  /(?<comment>(?<=^|\s)(?:\/\/|--|#) .*$)|(?<member>"[^"\n]*")(?=:)|(?<string>"[^"\n]*"|'[^'\n]*')|(?<number>(?<=[:[,] ?)-?\d+(?:\.\d+)?(?=\s*[,\]}]|$)|\b(?:true|false|null)\b)/gm

export function highlight(code: string): string {
  return code.replace(token, (text, ...more) => {
    const groups = more.at(-1) as Record<string, string | undefined>
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)!
    return `<span class="${kind}">${text}</span>`
  })
}
