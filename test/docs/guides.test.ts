// The guides are complete and linked correctly, and name every route and error code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { compileGuide } from '../../src/build/guide.mjs'
import { renderGuidePage, guides, guideStyle } from '../../src/docs/guides.ts'
import { problems, type Code } from '../../src/api/problems/problem.ts'
import { exampleDetails } from '../../src/docs/problems.ts'
import { routes } from '../../src/routes.ts'
import { readCodeBlocks } from '../support/code-blocks.ts'
import { brokenTags, idsOf, linksOf } from '../support/html.ts'
import { checkRetry, retryCases } from '../support/retries.ts'

interface ExampleProblem {
  status: number
  title: string
  code: Code
  detail: string
  errors?: { name: string; message: string }[]
}

const pages = new Map(guides.map((guide) => [`/docs/${guide.slug}`, renderGuidePage(guide)]))
const ids = new Map([...pages].map(([path, page]) => [path, idsOf(page)]))
const all = [...pages.values()].join('\n')

const otherPages = [
  '/explorer',
  '/docs',
  '/docs/style.css',
  '/docs/favicon.svg',
  '/docs/workgate-alerts.yaml',
  '/docs/workgate-dashboard.json',
  '/openapi.json',
]
const external =
  /^https:\/\/(www\.rfc-editor\.org\/rfc\/rfc\d+|www\.w3\.org\/TR\/trace-context\/|github\.com\/scalar\/scalar)$/

/** The path and anchor of a link on a page, or the URL of another host. */
const targetOf = (link: string, path: string) =>
  new URL(link, `http://workgate${path}`).href.replace('http://workgate', '')

test('every file is a guide, and its slug is its name', async () => {
  const files = await readdir('src/docs/guides')
  assert.deepEqual(files.sort(), guides.map(({ slug }) => `${slug}.md`).sort())
})

for (const [path, page] of pages) {
  describe(path, () => {
    test('has balanced tags in valid places', () => assert.deepEqual(brokenTags(page), []))

    test('has unique ids', () => {
      const found = ids.get(path)!
      assert.deepEqual(
        found.filter((id, place) => found.indexOf(id) !== place),
        [],
      )
    })

    test('links only to pages and anchors that exist', () => {
      const dead = linksOf(page).filter((link) => {
        const [target = '', anchor] = targetOf(link, path).split('#')
        if (anchor !== undefined) return !ids.get(target)?.includes(anchor)
        return !pages.has(target) && !otherPages.includes(target) && !external.test(target)
      })
      assert.deepEqual(dead, [])
    })

    test('has only relative links to other pages, which work below any prefix', () => {
      assert.deepEqual(
        linksOf(page).filter((link) => link.startsWith('/')),
        [],
      )
    })

    test('has one title, and lists its sections', () => {
      assert.equal(page.match(/<h1>/g)?.length, 1)
      const [contents] = /<nav class="contents"[\s\S]*?<\/nav>/.exec(page)!
      const sections = [...page.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => `#${id}`)
      assert.ok(sections.length > 1)
      assert.deepEqual(linksOf(contents), sections)
    })

    test('marks itself in the list of guides', () => {
      const [list] = /<nav class="guides"[\s\S]*?<\/nav>/.exec(page)!
      assert.deepEqual(
        linksOf(list).map((link) => targetOf(link, path)),
        [...pages.keys()],
      )
      assert.deepEqual(
        [...list.matchAll(/href="([^"]+)" aria-current="page"/g)].map(([, href]) => targetOf(href!, path)),
        [path],
      )
    })

    test('has no inline script or style, and loads nothing from another host', () => {
      const tags = page.match(/<[a-z][^>]*>/g)!
      const loads = /^<(script|style|iframe|object|embed|base|form|img)\b|\s(style|src|srcset|on\w+)=|javascript:/i
      const isPicture = (tag: string) =>
        /^<img class="picture" src="data:image\/webp;base64,[\w+/=]+" alt="[^"]+">$/.test(tag)
      assert.deepEqual(
        tags.filter((tag) => loads.test(tag) && !isPicture(tag)),
        [
          '<script src="preferences.js">',
          '<script type="module" src="theme.js">',
          '<script type="module" src="header.js">',
          '<script type="module" src="guide.js">',
        ],
      )
      assert.equal(page.match(/<script [^>]*><\/script>/g)!.length, 4)
      const loaded = linksOf(tags.filter((tag) => tag.startsWith('<link ')).join(''))
      assert.deepEqual(loaded, ['favicon.svg', 'style.css'])
    })
  })
}

test('the style loads nothing', () => assert.doesNotMatch(guideStyle, /@import|url\(|@font-face/))

test('the style defines every class that a page uses', () => {
  const used = new Set([...all.matchAll(/\sclass="([^"]+)"/g)].flatMap(([, names]) => names!.trim().split(' ')))
  assert.deepEqual(
    [...used].filter((name) => !guideStyle.includes(`.${name}`)),
    [],
  )
})

test('every error code has its anchor in the guide to errors, and no other id is in upper case', () => {
  const upper = [...ids].flatMap(([path, found]) => found.filter((id) => /[A-Z]/.test(id)).map((id) => `${path}#${id}`))
  assert.deepEqual(
    upper.sort(),
    Object.keys(problems)
      .map((code) => `/docs/errors#${code}`)
      .sort(),
  )
})

test('the guide to errors has an entry for each code, with its status, title, example and remedy', () => {
  const [, ...entries] = readFileSync('src/docs/guides/errors.md', 'utf8').split(/^### (?=`[A-Z_]+`$)/m)
  const found = entries.map((entry) => {
    const [code, statusAndTitle, cause, example, remedy] = entry.trim().split('\n\n')
    assert.ok(cause && remedy?.startsWith('**Remedy:** '), code)
    return [code, statusAndTitle, example!.replaceAll('\n>', '')]
  })
  assert.deepEqual(
    found,
    Object.entries(problems).map(([code, [status, title]]) => [
      `\`${code}\``,
      `**${status}** · ${title}`,
      `> ${exampleDetails[code as Code]}`,
    ]),
  )
})

test('the guides name every route', () => {
  const missing = routes
    .map(([method, path]) => `${method} ${path}`)
    .filter((route) => !all.includes(`<code>${route}</code>`))
  assert.deepEqual(missing, [])
})

describe('the example problems of the guides have the texts of their codes', () => {
  for (const { slug } of guides) {
    const blocks = readCodeBlocks(readFileSync(`src/docs/guides/${slug}.md`, 'utf8'))
    const examples = blocks.flatMap(({ code }) => /\{\s*"type":\s?"\/docs\/errors#[^]*\}/.exec(code)?.[0] ?? [])
    for (const example of examples) {
      const problem = JSON.parse(example) as ExampleProblem
      test(`${slug}: ${problem.code}`, () => {
        const [status, title] = problems[problem.code]
        const detail = problem.errors?.map(({ name, message }) => `${name}: ${message}`).join('; ')
        assert.deepEqual(
          { status: problem.status, title: problem.title, detail: problem.detail },
          { status, title, detail: detail ?? exampleDetails[problem.code] },
        )
      })
    }
  }
})

describe('the highlighter', () => {
  const kinds = (code: string, language: string) =>
    [
      ...compileGuide(`# T\n\nS.\n\n\`\`\`${language}\n${code}\n\`\`\``).article.matchAll(
        /<span class="(\w+)">(.*?)<\/span>/gs,
      ),
    ].map(([, kind, text]) => `${kind} ${text}`)

  // prettier-ignore
  const samples: [language: string, code: string, expected: string[]][] = [
    ['js',     "const a = await get('x') // y",        ['keyword const', 'keyword await', "string 'x'", 'comment // y']],
    ['js',     '`a ${b.map((c) => `${c}`)} d` + 1.5',   ['string `a ${b.map((c) =&gt; `${c}`)} d`', 'number 1.5']],
    ['js',     "'http://a' in null",                   ["string 'http://a'", 'keyword in', 'number null']],
    ['js',     'error.catch(newest, a.of)',            []],
    ['python', 'def f(x):  # y',                       ['keyword def', 'comment # y']],
    ['python', `return f"{a['b']}" if None else 2**n`, ['keyword return', `string f"{a['b']}"`, 'keyword if', 'number None', 'keyword else', 'number 2']],
    ['json',   '{"a": [1, "b", true]}',                ['member "a"', 'number 1', 'string "b"', 'number true']],
    ['sh',     `curl -H "a: $b" 'c' # d`,              ['string "a: $b"', "string 'c'", 'comment # d']],
  ]
  for (const [language, code, expected] of samples) {
    test(`recognizes ${code} in ${language}`, () => assert.deepEqual(kinds(code, language), expected))
  }

  test('changes no character', () => {
    const textOf = (html: string) =>
      html
        .replace(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&')
    for (const { slug, article } of guides) {
      const written = readCodeBlocks(readFileSync(`src/docs/guides/${slug}.md`, 'utf8')).map(({ code }) => code)
      const shown = [...article.matchAll(/<pre tabindex="0"><code>(.*?)<\/code><\/pre>/gs)].map(([, html]) =>
        textOf(html!),
      )
      const withoutIndent = (code: string) => code.replace(/^ +/gm, '')
      assert.deepEqual(shown.map(withoutIndent), written.map(withoutIndent))
    }
  })
})

describe('a guide', () => {
  const compile = (article: string) => compileGuide(`# Title\n\nSummary.\n\n${article}`, () => drawing)
  const drawing = '<svg viewBox="0 0 1 1">\n<style>a { b: c }</style>\n<title>T</title>\n</svg>\n'

  test('is compiled into its title, its summary, its sections and HTML', () => {
    assert.deepEqual(compile('## First & last\n\nSee [keys](keys.md#scope).\n\n```sh\ncurl "$a&b" # <x>\n```'), {
      title: 'Title',
      summary: 'Summary.',
      sections: [{ id: 'first--last', title: 'First &amp; last' }],
      article:
        '<h2 id="first--last"><a href="#first--last">First &amp; last</a></h2>\n' +
        '<p>See <a href="keys#scope">keys</a>.</p>\n' +
        '<div class="code"><pre tabindex="0"><code>curl <span class="string">"$a&amp;b"</span> <span class="comment"># &lt;x&gt;</span></code></pre></div>\n',
    })
  })

  test('contains drawings without their own style', () => {
    assert.equal(
      compile('![T](t.svg)').article,
      '<p><svg class="drawing" viewBox="0 0 1 1"><title>T</title></svg></p>\n',
    )
  })

  test('marks the address of the service in examples, and no other address', () => {
    const addresses = (code: string) => compile(code).article.match(/<span data-address>[^<]*<\/span>/g)
    const marked = '<span data-address>http://127.0.0.1:8080</span>'
    assert.deepEqual(addresses('```sh\ncurl "http://127.0.0.1:8080/api/external/v1/key"\n```'), [marked])
    assert.deepEqual(addresses('`http://127.0.0.1:8080/docs`'), [marked])
    assert.equal(addresses('```nginx\nproxy_pass http://127.0.0.1:8080/;\n```'), null)
    assert.equal(addresses('```text\nDocumentation  http://127.0.0.1:8080/docs\n```'), null)
    assert.equal(addresses('```sh\ncurl http://127.0.0.1:9090/docs\n```'), null)
  })

  test('shows an example in several languages as one, and other blocks after each other', () => {
    const block = (language: string) => `\`\`\`${language}\nx\n\`\`\`\n\n`
    const [sh, js, python] = [block('sh'), block('js'), block('python')] as const
    const shown = (markdown: string) =>
      [...compile(markdown).article.matchAll(/<div class="(example)">|<div class="code"(?: data-language="(\w+)")?>/g)]
        .map(([, example, language]) => example ?? language ?? 'code')
        .join(' ')
    assert.equal(shown(sh + js + python + sh + sh + js), 'example sh js python code code code')
    assert.equal(shown(`${sh}Text.\n\n${js}`), 'code code')
  })

  // prettier-ignore
  const refused: [claim: string, markdown: string, message: RegExp][] = [
    ['without a title',           'Text.',                                   /begins with its title/],
    ['with HTML',                 '# T\n\nS.\n\nA <b>word</b>.',             /contains HTML: <b>/],
    ['with an unknown link',      '# T\n\nS.\n\n[x](../../README.md)',       /links to \.\.\/\.\.\/README\.md/],
    ['with two equal headings',   '# T\n\nS.\n\n## A\n\n## A',              /duplicate heading: A/],
    ['with an example in JavaScript and Python but not in curl', '# T\n\nS.\n\n```js\n```\n\n```python\n```', /lacks curl/],
  ]
  for (const [claim, markdown, message] of refused) {
    test(`${claim} is refused`, () => assert.throws(() => compileGuide(markdown), message))
  }
})

describe('the retry sample of the guide to errors', () => {
  const blocks = readCodeBlocks(readFileSync('src/docs/guides/errors.md', 'utf8'))
  const { code } = blocks.find(({ code }) => code.includes('async function send('))!
  const send = new Function(`${code}; return send`)() as (url: string, options?: RequestInit) => Promise<unknown>
  for (const retryCase of retryCases)
    test(retryCase.claim, () => checkRetry(retryCase, (url, method, headers) => send(url, { method, headers })))
})
