import assert from 'node:assert/strict'
import { test } from 'node:test'
import { priorityMeaning, statusMeaning } from '../../src/import/status-words.ts'
import { completed } from '../../src/import/words.ts'

// prettier-ignore
const expected = {
  'backlog open': ['To Do', 'Backlog', 'Open', 'Reopened', 'New', 'Selected for Development', 'Not started', 'Unstarted',
    'Not done', 'Ready', 'Ready for Dev', 'Ideas', 'Won the deal', 'Neu', 'Zu erledigen', '待办', ''],
  'active open': ['In Progress', 'in_progress', 'Doing', 'Started', 'In Review', 'Code review', 'Testing', 'QA', 'Blocked',
    'To be released', 'Ready for testing', 'Awaiting approval', 'Feedback', 'In Bearbeitung', 'WIP'],
  'done completed': ['Done', 'Closed', 'CLOSED', 'Resolved', 'Released', 'Complete', '✅ Done', 'Erledigt', 'Gelöst', 'Fixed'],
  'done cancelled': ['Canceled', 'Cancelled', "Won't Do", 'Won’t fix', 'wontfix', 'Duplicate', 'Rejected', 'Not planned',
    'Cannot Reproduce', 'Closed (duplicate)', 'Abgelehnt'],
}

test('The name of a status tells its category and the state of its tasks', () => {
  for (const [meaning, names] of Object.entries(expected))
    for (const name of names) {
      const { category, state } = statusMeaning(name)
      assert.equal(`${category} ${state}`, meaning, name)
    }
})

test('A status of unknown meaning has the given one', () => {
  assert.equal(statusMeaning('Abgenommen', completed), completed)
  assert.equal(statusMeaning('Backlog', completed).state, 'open')
})

test('The name of a priority tells its meaning', () => {
  const meanings = { '🔴 Urgent': 'urgent', Highest: 'urgent', High: 'high', Hoch: 'high', Normal: 'medium', P3: 'low' }
  for (const [name, priority] of Object.entries(meanings)) assert.equal(priorityMeaning(name), priority, name)
  assert.equal(priorityMeaning('No priority'), 'none')
  assert.equal(priorityMeaning('Sev 2'), undefined)
})
