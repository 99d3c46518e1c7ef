// Checks rules about imports and file contents that the compiler does not check.

import assert from 'node:assert/strict'
import { access, readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const files = (await readdir('src', { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
const sources = new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)))

const importsOf = (file: string) => [...sources.get(file)!.matchAll(/from '([^']+)'/g)].map(([, path]) => path!)
const breaking = (breaks: (file: string, text: string) => boolean) =>
  files.filter((file) => breaks(file, sources.get(file)!))

// prettier-ignore
const rules: [rule: string, breaks: (file: string, text: string) => boolean][] = [
  ['only db/ imports the driver',              (file) => importsOf(file).includes('postgres') && !file.startsWith('src/db/')],
  ['only server/http/ serves http or tls',     (file) => importsOf(file).some((path) => /^node:(http|https|tls)$/.test(path)) && !/^src\/(server\/http\/|sources\/http\/(http|read-body)\.ts$)/.test(file)],
  ['sources/ connects only in http.ts',        (file, text) => file.startsWith('src/sources/') && /\bfetch\(|\b(request|connect)(Plain|Secure)?\(/.test(text) && file !== 'src/sources/http/http.ts'],
  ['only workers/ imports node:cluster',       (file) => importsOf(file).includes('node:cluster') && !file.startsWith('src/server/workers/')],
  ['db/pool/ has one door',                    (file) => importsOf(file).some((path) => /\/pool\/(?!(pool|connection|connection-shares)\.ts$)/.test(path))],
  ['only main.ts reads the environment',       (file, text) => /process\.(env|argv|exit|on|stdout|stderr)\b/.test(text) && file !== 'src/main.ts'],
  ['nothing writes to the console',            (_, text) => /\bconsole\./.test(text)],
  ['there are no default exports',             (file, text) => /^export default/m.test(text) && file !== 'src/build/imported.d.ts'],
  ['there are no barrel files',                (_, text) => /^export (\*|\{[^}]*\}) from/m.test(text)],
  ['imports include the file extension',       (file) => importsOf(file).some((path) => path.startsWith('.') && !/\.(tsx?|mts|sql|json|html|css|svg|txt|yaml|service|client\.js)$/.test(path))],
  ['SQL statements are in .sql files',         (_, text) => /['"`]\s*(select \S+ from|insert into|update \S+ set|delete from)\b/i.test(text)],
  ['nothing is cast to never',                (_, text) => /\bas never\b/.test(text)],
]

for (const [rule, breaks] of rules) {
  test(rule, () => assert.deepEqual(breaking(breaks), []))
}

test('endpoints do not import endpoints', () => {
  const targetsOf = (file: string) =>
    importsOf(file)
      .filter((path) => path.startsWith('.'))
      .map((path) => normalize(join(dirname(file), path)))
  const endpoints = targetsOf('src/routes.ts').filter((file) => file.startsWith('src/resources/'))
  assert.ok(endpoints.includes('src/resources/tasks/create-task.ts'))
  const crossing = endpoints.filter((file) => targetsOf(file).some((target) => endpoints.includes(target)))
  assert.deepEqual(crossing, [])
})

test('every statement is used', async () => {
  const statements = (await readdir('sql', { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.name.endsWith('.sql'),
  )
  const text = [...sources.values()].join('\n')
  const unused = statements
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !text.includes(`/${file}'`))
  assert.deepEqual(unused, [])
})

test('the README has at most 150 lines, and links to files that exist', async () => {
  const readme = await readFile('README.md', 'utf8')
  assert.ok(readme.split('\n').length <= 151, `${readme.split('\n').length - 1} lines`)
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => path!)
  assert.ok(links.length > 20)
  for (const path of links) await access(path)
})
