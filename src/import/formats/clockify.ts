// Clockify: the detailed report.

import type { CsvFormat } from '../format.ts'
import { readTimeSheet } from './time-sheet.ts'

export const clockify: CsvFormat = {
  name: 'clockify',
  title: 'Clockify detailed report (CSV)',
  how: 'Reports > Detailed > Export > Save as CSV. Choose whole days and all their entries, whose order identifies them',
  lost: 'tags, clients, amounts, groups',
  type: 'csv',
  recognizes: (columns) =>
    columns.has('start date') && (columns.has('duration (h)') || columns.has('duration (decimal)')),
  open: () =>
    readTimeSheet('clockify', (row) => {
      const hours = row.integer('Duration (decimal)', 3_600)
      return row.duration('Duration (h)') ?? hours
    }),
}
