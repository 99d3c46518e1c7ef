// Highlights code samples: comments, strings, member names, numbers and keywords. Input and output are HTML.

// One level of nesting, as in `a ${list.map((x) => `${x}`)}`.
const template = /`(?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^`{}]|`[^`]*`)*\})*`/.source

const string = /"[^"\n]*"|'[^'\n]*'/.source

const number = /\b\d+(?:[._]\d+)*\b/.source

const words = (list) => `(?<![.\\w$])(?:${list.replaceAll(' ', '|')})(?![\\w$])`

// Tokens that look the same in JSON, shell scripts, logs and HTTP. Numbers are recognized as members and items only.
const common = pattern({
  comment: /(?<=^|\s)(?:\/\/|--|#) .*$/.source,
  member: /"[^"\n]*"(?=:)/.source,
  string,
  number: /(?<=[:[,] ?)-?\d+(?:\.\d+)?(?=\s*[,\]}]|$)|\b(?:true|false|null)\b/.source,
})

const js = pattern({
  comment: /\/\/ .*$/.source,
  string: `${template}|${string}`,
  keyword: words(
    'async await break case catch class const continue default delete do else export extends finally for from function if import in instanceof let new of return static switch throw try typeof var while yield',
  ),
  number: `${number}|${words('true false null undefined')}`,
})

const python = pattern({
  comment: /(?<=^|\s)# .*$/.source,
  string: `\\b[frb]{1,2}(?:${string})|${string}`,
  keyword: words(
    'and as assert async await break class continue def del elif else except finally for from global if import in is lambda not or pass raise return try while with yield',
  ),
  number: `${number}|${words('True False None')}`,
})

const languages = { js, python }

/**
 * @param {string} code
 * @param {string} [language]
 */
export function highlightCode(code, language = '') {
  return code.replace(languages[language] ?? common, (text, ...matches) => {
    const groups = matches.at(-1)
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    return `<span class="${kind}">${text}</span>`
  })
}

function pattern(kinds) {
  const groups = Object.entries(kinds).map(([name, source]) => `(?<${name}>${source})`)
  return new RegExp(groups.join('|'), 'gm')
}
