// Text in Markdown and in the wiki markup of Jira as the explorer shows it: elements that are allowed, and nothing else.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FormattedText } from '../../src/explorer/parts/formatted-text.ts'
import type { Task } from '../../src/explorer/api/types.ts'
import { isWikiMarkup } from '../../src/explorer/text/wiki-markup.ts'

interface Element {
  type: string | ((props: object) => unknown)
  props: Record<string, unknown> & { children?: unknown }
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What a browser would get, without the attributes that all links, tables and blocks of code have. */
function print(node: unknown): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map(print).join('')
  if (typeof node !== 'object') return escape(String(node))
  const { type, props } = node as Element
  if (typeof type === 'function') return print(type(props))
  const { children, ...others } = props
  if (type === 'a') {
    assert.deepEqual([others['target'], others['rel']], ['_blank', 'noopener noreferrer'])
    assert.match(others['href'] as string, /^https?:\/\//i)
  }
  const start = others['href']
    ? ` ${others['href']}`
    : others['start'] && others['start'] !== 1
      ? ` ${others['start']}`
      : ''
  return type === 'br' || type === 'hr' ? `<${type}>` : `<${type}${start}>${print(children)}</${type}>`
}

const shown = (text: string, format: Task['descriptionFormat'] = null) =>
  /^<div>([^]*)<\/div>$/.exec(print(FormattedText({ text, format })))![1]

type Cases = [claim: string, text: string, html: string][]

function check(cases: Cases, isWiki: boolean) {
  for (const [claim, text, html] of cases) {
    test(claim, () => {
      assert.equal(isWikiMarkup(text), isWiki, 'wiki markup')
      assert.equal(shown(text), html)
    })
  }
}

// prettier-ignore
const markdown: Cases = [
  ['plain text keeps its lines',         'a\nb\n\nc',                       '<p>a<br>b</p><p>c</p>'],
  ['headings',                           '# a\n\n### b',                    '<h3>a</h3><h3>b</h3>'],
  ['emphasis',                           '**a** _b_ ~~c~~ `d*`',            '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d*</code></p>'],
  ['lists',                              '3. a\n4. b\n   - c',              '<ol 3><li>a</li><li>b<ul><li>c</li></ul></li></ol>'],
  ['tasks',                              '- [x] a\n- [ ] b',                '<ul><li>☑ a</li><li>☐ b</li></ul>'],
  ['code',                               '```js\nif (a < b) {}\n```',       '<pre><code>if (a &lt; b) {}</code></pre>'],
  ['quotes and rules',                   '> a\n\n---',                      '<blockquote><p>a</p></blockquote><hr>'],
  ['tables',                             '|a|b|\n|-|-|\n|`c`|d|',           '<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>c</code></td><td>d</td></tr></tbody></table></div>'],
  ['links',                              '[a *b*](https://c.example/?d=1&amp;e=2)', '<p><a https://c.example/?d=1&e=2>a <em>b</em></a></p>'],
  ['addresses, without punctuation',     'See https://a.example/b_(c).',    '<p>See <a https://a.example/b_(c)>https://a.example/b_(c)</a>.</p>'],
  ['images are links',                   '![a](https://b.example/c.png) ![](https://b.example/c.png)', '<p><a https://b.example/c.png>a</a> <a https://b.example/c.png>c.png</a></p>'],
  ['images in links are their text',     '[![a](https://b.example/c.png)](https://d.example)', '<p><a https://d.example>a</a></p>'],
  ['character references',               'a &amp; b &lt; c &#39; &#106; &amp;lt;', "<p>a &amp; b &lt; c ' j &amp;lt;</p>"],
  ['comments are not shown',             'a <!-- b --> c\n\n<!-- d\n-->\n',  '<p>a  c</p>'],
  ['line breaks of HTML',                'a<br>b',                          '<p>a<br>b</p>'],
  ['expressions of GitHub are no wiki markup', '${{ secrets.A }}',          '<p>${{ secrets.A }}</p>'],
  ['footnotes are no wiki markup',       'a[^1]',                           '<p>a[^1]</p>'],
  ['a template in code is no wiki markup', '`{{ a }}`',                     '<p><code>{{ a }}</code></p>'],
]
describe('Markdown:', () => check(markdown, false))

// prettier-ignore
const wiki: Cases = [
  ['headings',                           'h1. a\nh3. *b*\nc',               '<h3>a</h3><h3><strong>b</strong></h3><p>c</p>'],
  ['emphasis',                           'h2. x\n*a b*, _c_ (-d e-) {{f*}} {*}g{*}', '<h3>x</h3><p><strong>a b</strong>, <em>c</em> (<del>d e</del>) <code>f*</code> <strong>g</strong></p>'],
  ['signs that are no emphasis',         '{{x}} 5*3*2 a-b-c ~d~ e\\*f a*',   '<p><code>x</code> 5*3*2 a-b-c ~d~ e*f a*</p>'],
  ['lists',                              '* a\n** b\n*# c\n* d',            '<ul><li>a<ul><li>b</li></ul><ol><li>c</li></ol></li><li>d</li></ul>'],
  ['numbered lists',                     '# a\n# b\n#* c',                  '<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>'],
  ['lists that begin too deep',          '*** a\n**** b',                   '<ul><li>a<ul><li>b</li></ul></li></ul>'],
  ['code',                               'a\n{code:title=B.java|java}\n*b* `c` {color}\n{code}\nd', '<p>a</p><p><strong>B.java</strong></p><pre><code>*b* `c` {color}</code></pre><p>d</p>'],
  ['code with a fence of Markdown',      '{noformat}\n```\na\n```\n{noformat}', '<pre><code>```\na\n```</code></pre>'],
  ['code without an end',                '{code}\na',                       '<p>{code}<br>a</p>'],
  ['quotes',                             '{quote}\na\n\n{code}b{code}\n{quote}\nc', '<blockquote><p>a</p><pre><code>b</code></pre></blockquote><p>c</p>'],
  ['a quoted line',                      'bq. a\nb',                        '<blockquote><p>a</p></blockquote><p>b</p>'],
  ['colors are dropped',                 '{color:red}a{color} b',           '<p>a b</p>'],
  ['tables',                             'a\n||b||c||\n|d [e|https://f.example]|{{g|h}}|\ni', '<p>a</p><div><table><thead><tr><th>b</th><th>c</th></tr></thead><tbody><tr><td>d <a https://f.example>e</a></td><td><code>g|h</code></td></tr></tbody></table></div><p>i</p>'],
  ['links',                              '[a|https://b.example/c_d_e|smart-link] [https://f.example]', '<p><a https://b.example/c_d_e>a</a> <a https://f.example>https://f.example</a></p>'],
  ['bold text with a link',              '*see [a_b_|https://c.example]*',  '<p><strong>see <a https://c.example>a_b_</a></strong></p>'],
  ['addresses',                          '{{x}} https://a.example/b*c*d',   '<p><code>x</code> <a https://a.example/b*c*d>https://a.example/b*c*d</a></p>'],
  ['images are names or links',          '!a_b_c.png|thumbnail! !https://d.example/e.png!', '<p>a_b_c.png <a https://d.example/e.png>https://d.example/e.png</a></p>'],
  ['users and attachments',              '[~ada_l] [~accountid:1:a] [^b_c_.pdf]', '<p>@ada_l @1:a b_c_.pdf</p>'],
  ['signs of Markdown are text',         'h2. x\n> a\n`b` <b>\n---\n#c\n1) d',  '<h3>x</h3><p>&gt; a<br>`b` &lt;b&gt;<br>---<br>#c</p><ol><li>d</li></ol>'],
  ['panels',                             '{panel:title=A_|borderStyle=solid}\nb\n{panel}', '<blockquote><p><strong>A_</strong></p><p>b</p></blockquote>'],
  ['lines of Windows',                   'h2. a\r\n* b\r\n* c\r\n\r\n|d|e|\r\n', '<h3>a</h3><ul><li>b</li><li>c</li></ul><div><table><tbody><tr><td>d</td><td>e</td></tr></tbody></table></div>'],
  ['breaks, and paths of Windows',       'h2. x\na\\\\ b \\\\server\\c',    '<h3>x</h3><p>a<br> b \\\\server\\c</p>'],
]
describe('wiki markup:', () => check(wiki, true))

// prettier-ignore
const hostile: [claim: string, text: string, html?: string][] = [
  ['a script',                           '<script>attack()</script>',       '&lt;script&gt;attack()&lt;/script&gt;'],
  ['a script in a line',                 'a <script>attack()</script>',     '<p>a &lt;script&gt;attack()&lt;/script&gt;</p>'],
  ['an image with a handler',            'a <img src=x onerror=attack()>',  '<p>a &lt;img src=x onerror=attack()&gt;</p>'],
  ['a comment that ends early',          '<!-- --><b>\n',                   '&lt;!-- --&gt;&lt;b&gt;\n'],
  ['a link with a script',               '[a](javascript:attack())',        '<p>[a](javascript:attack())</p>'],
  ['the same in other letters',          '[a](<JaVa\tScRiPt:attack()>)'],
  ['the same with references',           '[a](java&#115;cript&colon;attack())'],
  ['the same with spaces before',        '[a](  \u0001javascript:attack())'],
  ['an address that hides a script',     '<javascript:attack()>'],
  ['a reference to a script',            '[a][b]\n\n[b]: javascript:attack()'],
  ['data',                               '[a](data:text/html,<script>attack()</script>)'],
  ['an image with a script',             '![a](javascript:attack())',       '<p>![a](javascript:attack())</p>'],
  ['an image of another host',           '![a](//b.example/c.png)',         '<p>![a](//b.example/c.png)</p>'],
  ['a link that ends its attribute',     '[a](https://b.example/"onclick="attack())'],
  ['a link of the wiki with a script',   '{{x}} [a|javascript:attack()]',   '<p><code>x</code> [a|javascript:attack()]</p>'],
  ['a link of the wiki that ends early', '[a|https://b.example/>)<script>]', '<p><a https://b.example/%3E)%3Cscript%3E>a</a></p>'],
  ['text of a link of the wiki',         '[](javascript:x)[a](b|https://c.example]'],
  ['HTML in code of the wiki',           '{code}<script>{code}',            '<pre><code>&lt;script&gt;</code></pre>'],
  ['characters that the translation uses', '{{x}} \uE0020\uE003 \uE002 \uE000a\uE001', '<p><code>x</code> 0  a</p>'],
]
describe('hostile text has only allowed elements:', () => {
  for (const [claim, text, html] of hostile) {
    test(claim, () => {
      const found = shown(text)!
      if (html !== undefined) assert.equal(found, html)
      const elements = [...found.matchAll(/<(\w+)/g)].map(([, name]) => name!)
      assert.deepEqual(elements.filter((name) => !/^(p|a|code|pre|br|strong|em)$/.test(name)), []) // prettier-ignore
    })
  }
})

test('a format that is known decides', () => {
  const [wiki, markdown] = ['h1. a', '# a']
  assert.deepEqual([shown(wiki, 'jira'), shown(markdown, 'markdown')], ['<h3>a</h3>', '<h3>a</h3>'])
  assert.deepEqual([shown(wiki, 'markdown'), shown(markdown, 'jira')], ['<p>h1. a</p>', '<ol><li>a</li></ol>'])
  assert.deepEqual([shown(wiki, 'text'), shown('**a**', 'text')], [wiki, '**a**'])
})

// prettier-ignore
const html: [claim: string, text: string, html: string][] = [
  ['elements that are allowed',    '<h1 id="a">a</h1><P class=b>b <b>c</b><br/>d</p>',       '<h3>a</h3><p>b <strong>c</strong><br>d</p>'],
  ['paragraphs and items that end by themselves', '<p>a<p>b<ul><li>c<li>d</ul>',            '<p>a</p><p>b<ul><li>c</li><li>d</li></ul></p>'],
  ['tables',                       '<table><tr><td>a<td>b<tr><td>c</table>',                 '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>'],
  ['what is not closed, and what is not open', '</p><em>a</strong>b',                        '<em>ab</em>'],
  ['links to the web, and no others', '<a href="https://a.example/?b=1&amp;c">d</a> <a href=\'javascript:e()\'>f</a> <a>g</a>', '<a https://a.example/?b=1&c>d</a> f g'],
  ['images as their text',         '<img src=x onerror="a()" alt="b">',                      'b'],
  ['no scripts, styles or comments', '<style>p { }</style>a<script>b()</script><!-- <p>c -->d<script>', 'ad'],
  ['other elements as their text', '<section><font color=red>a</font></section><iframe src=x></iframe>', 'a'],
  ['elements that are called like properties of objects', '<constructor>a</constructor>b', 'ab'],
  ['character references',         '&lt;p&gt; &#8217; &#x2014; &nbsp; &unknown; &#0; &#99999999;', '&lt;p&gt; ’ — \u00a0 &amp;unknown; &amp;#0; &amp;#99999999;'],
  ['signs that begin no element',  '1 < 2 <3 <',                                             '1 &lt; 2 &lt;3 &lt;'],
]
describe('HTML is shown as', () => {
  for (const [claim, text, expected] of html) test(claim, () => assert.equal(shown(text, 'html'), expected))

  test('no more than 20 elements in each other', () =>
    assert.equal(shown('<em>'.repeat(1000) + 'a', 'html'), '<em>'.repeat(20) + 'a' + '</em>'.repeat(20)))
})

const repeat = (unit: string, end = '') => unit.repeat(Math.ceil(65_000 / unit.length)).slice(0, 65_000) + end
// prettier-ignore
const units = ['a', 'word ', 'a\n', 'a\n\n', ' ', '> ', '- ', '* a\n', '1. ', '# a\n', '*a ', '**a ', '_a', 'a_', '~a~~', '`', '[', '[a', '[](', '![', '[a](b', '<', '<a ', '<!--', '&', '\\', '|a', 'https://', 'https://a.example ', 'www.', 'a@', 'a\n-\n', '> - ', '.!']
// prettier-ignore
const wikiUnits = ['{code}', '{code:a}', '{code:', '{quote}', '{color}a', '{{', '{{a}}', '{{a', '[a|', '[a|https://', '[~', '!a', '!a.b|', '||', '||a', '|', '|a\n', '*a', '* *', '-a', ' -a', '** a\n', 'h1. ', 'h1. a\n', 'bq. a\n', '\\\\ ', '\uE002']
const htmlUnits = ['<p>', '</p>', '<p ', '<script>', '<style', '<!-- a -->', '<em><p>', '<a href="', '&#1']
describe('long text is shown quickly:', () => {
  for (const unit of [...units, ...htmlUnits, ...units.map((unit) => `h1. a\n${unit}`), ...wikiUnits]) {
    test(JSON.stringify(unit), () => {
      const start = process.cpuUsage().user
      shown(repeat(unit))
      shown(`{{a}} ${repeat(unit, ' b')}`)
      shown(repeat(unit), 'html')
      const seconds = (process.cpuUsage().user - start) / 1e6
      assert.ok(seconds < 5, `${seconds} s`)
    })
  }

  test('texts of more than 65,536 characters are shown as they are', () =>
    assert.equal(shown(`*a* ${'b'.repeat(99_996)}`), `*a* ${'b'.repeat(99_996)}`))

  test('so are paragraphs of more than 10,000 characters, and what is nested too deep', () => {
    assert.match(shown(`*a*\n\n*a* ${'b'.repeat(10_000)}`)!, /^<p><em>a<\/em><\/p><p>\*a\* b+<\/p>$/)
    assert.match(shown('> '.repeat(1000) + 'a')!, /^(<blockquote>){20,30}(> ?|&gt; ?)+a(<\/blockquote>){20,30}$/)
  })
})
