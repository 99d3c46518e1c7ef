// Spreadsheets with the field names of the API.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { csvFormats } from '../../src/import/formats.ts'
import type { Task } from '../../src/import/objects.ts'
import { Columns } from '../../src/import/columns.ts'
import { Row } from '../../src/import/row.ts'

function readTasks(header: string, ...lines: string[]): Task[] {
  const columns = new Columns(header.split(','))
  const read = csvFormats.find((one) => one.name === 'sheet')!.open({ name: 'tasks' })
  return lines.flatMap((line) => read(new Row(columns, line.split(','))) as Task[])
}

// prettier-ignore
const states: [header: string, line: string, state: Task['state']][] = [
  ['title',                           'One',                    undefined],
  ['title,state,completedAt',         'One,open,2026-01-01',    'open'],
  ['title,completedAt',               'One,2026-01-01',         'completed'],
  ['title,completedAt',               'One,',                   undefined],
  ['title,state,completedAt',         'One,,2026-01-01',        'completed'],
  ['title,cancelledAt',               'One,2026-01-01',         'cancelled'],
  ['title,completedAt,cancelledAt',   'One,,2026-01-01',        'cancelled'],
  ['title,stage',                     'One,Done',               'completed'],
  ['title,stage,state',               'One,Done,',              'completed'],
  ['title,stage,state',               'One,Done,open',          'open'],
  ['title,stage',                     "One,Won't do",           'cancelled'],
  ['title,stage',                     'One,In progress',        undefined],
  ['title,stage,stageCategory',       'One,Shop,done',          'completed'],
  ['title,stage,stageCategory',       'One,Done,active',        undefined],
  ['title,stage,completedAt',         "One,Won't do,2026-01-01", 'completed'],
]

describe('the state of', () => {
  for (const [header, line, state] of states)
    test(`"${line}" with ${header} is ${state}`, () => assert.equal(readTasks(header, line)[0]?.state, state))
})

// prettier-ignore
const parents: [header: string, lines: string[], parents: [id: string, parent: string | null | undefined][]][] = [
  ['title,number,parent',            ['A,1,', 'B,2,1', 'C,3,#1', 'D,4,9'],     [['#1', null], ['#2', '#1'], ['#3', '#1'], ['#4', '#9']]],
  ['title,number,parent',            ['B,2,1', 'A,1,'],                        [['#2', '#1'], ['#1', null]]],
  ['title,number,externalId,parent', ['A,1,x-1,', 'B,2,x-2,1', 'C,3,x-3,x-1'], [['x-1', null], ['x-2', 'x-1'], ['x-3', 'x-1']]],
  ['title,number,externalId,parent', ['B,2,x-2,#1', 'A,1,x-1,'],               [['x-2', '#1'], ['x-1', null], ['x-2', 'x-1']]],
  ['title,number,externalId,parent', ['A,1,,', 'B,2,x-2,1'],                   [['#1', null], ['x-2', '#1']]],
  ['title,number,externalId,parent', ['A,1,2,', 'B,2,1,', 'C,3,3,2'],          [['2', null], ['1', null], ['3', '2']]],
  ['title,number,externalId,parent', ['A,1,2,', 'C,3,3,1', 'B,9,1,'],        [['2', null], ['3', '1'], ['1', null]]],
  ['title,externalId,parent',        ['A,1,', 'B,2,1'],                        [['1', null], ['2', '1']]],
  ['title,parent',                   ['Plan,', 'Draw,Plan'],                   [['Plan', null], ['Draw', 'Plan']]],
  ['title,externalId',               ['A,1'],                                  [['1', undefined]]],
]

describe('a parent is named by its externalId or its number:', () => {
  for (const [header, lines, expected] of parents)
    test(`${header}: ${lines.join(' / ')}`, () =>
      assert.deepEqual(
        readTasks(header, ...lines).map((task) => [task.externalId, task.parent]),
        expected,
      ))
})
