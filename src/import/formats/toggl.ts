// Toggl Track: the detailed report.

import type { CsvFormat } from '../format.ts'
import { readTimeSheet } from './time-sheet.ts'

export const toggl: CsvFormat = {
  name: 'toggl',
  title: 'Toggl Track detailed report (CSV)',
  how: 'Reports > Detailed > Export > Download CSV. Choose whole days and all their entries, whose order identifies them',
  lost: 'tags, clients, amounts',
  type: 'csv',
  recognizes: (columns) =>
    ['start date', 'duration'].every((name) => columns.has(name)) &&
    ['user', 'email'].some((name) => columns.has(name)) &&
    // A sheet of tasks can have the other columns, too.
    !columns.has('title'),
  open: () => readTimeSheet('toggl', (row) => row.duration('Duration')),
}
