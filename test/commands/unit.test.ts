// workgate unit prints files that install the service.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { unit } from '../../src/commands/unit/unit.ts'
import { readConfig } from '../../src/config/config.ts'
import { commandContext } from '../support/doctor.ts'

async function unitOf(args: string[], commandLine: string[] = ['/usr/local/bin/workgate']) {
  const printed: string[] = []
  const warned: string[] = []
  const context = commandContext(readConfig({}, () => ''))
  const log = { ...context.log, warn: (_: string, fields: object = {}) => void warned.push(...Object.values(fields)) }
  await unit({ ...context, args, commandLine, log, print: (text) => void printed.push(text) })
  return { printed: printed.join('\n'), warned }
}

test('compose and systemd print the files', async () => {
  for (const [name, file] of [
    ['compose', 'compose.yaml'],
    ['systemd', 'workgate.service'],
  ] as const)
    // prettier-ignore
    assert.equal(
      (await unitOf([name])).printed,
      (await readFile(`src/commands/unit/${file}`, 'utf8')).trim(),
    )
})

describe('ExecStart is the command line', () => {
  // prettier-ignore
  const cases: [words: string[], line: string, warned: string[]][] = [
    [['/opt/node', '/opt/workgate.mjs'], '/opt/node /opt/workgate.mjs',      []],
    [['/opt/a b', '/opt/100%"\\$&'],     '"/opt/a b" "/opt/100%%\\"\\\\$&"', []],
    [['/opt/node', '/home/me/x.mjs'],    '/opt/node /home/me/x.mjs',         ['/home/me/x.mjs']],
  ]
  for (const [words, line, paths] of cases) {
    test(words.join(' '), async () => {
      const { printed, warned } = await unitOf(['systemd'], words)
      assert.deepEqual(printed.match(/^ExecStart=.*$/gm), [`ExecStart=${line}`])
      assert.deepEqual(warned, paths)
    })
  }
})

for (const args of [[], ['x'], ['systemd', 'compose'], ['systemd', '--compose']]) {
  test(`"unit ${args.join(' ')}" prints the usage`, () =>
    assert.rejects(unitOf(args), { name: 'UsageError', message: /\n\nworkgate unit systemd\|compose$/ }))
}
