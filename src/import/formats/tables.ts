// Tools whose CSV is a table of tasks: only their own headings and values differ from those of a spreadsheet.

import type { CsvFormat } from '../format.ts'
import { fold } from '../columns.ts'
import { createSheetReader } from './sheet.ts'

interface Table {
  name: string
  title: string
  how: string
  lost: string
  /** The headings by which the file is recognized. */
  recognizedBy: readonly string[]
  /** The fields, with a factor, of columns that do not have a usual heading. */
  fields: Readonly<Record<string, string | [field: string, factor: number]>>
  /** The values that replace others, by column. */
  values?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const numberedPriorities = { '1': 'urgent', '2': 'high', '3': 'medium', '4': 'low' }
/** ClickUp writes it into empty cells. */
const nothing = { null: '' }

const tables: readonly Table[] = [
  {
    name: 'azure',
    title: 'Azure DevOps work items (CSV)',
    how: 'in a query that shows a flat list, choose Export to CSV',
    lost: 'comments, links except parents, areas, iterations, story points',
    recognizedBy: ['id', 'work item type', 'title', 'state'],
    fields: {
      'Work Item Type': 'type',
      State: 'stage',
      'Target Date': 'dueDate',
      'Original Estimate': ['estimateSeconds', 3_600],
      'Team Project': 'project',
    },
    values: { Priority: numberedPriorities },
  },
  {
    name: 'clickup',
    title: 'ClickUp tasks (CSV)',
    how: 'in the settings of the workspace, choose Imports / Exports > Export',
    lost: 'comments, checklists, attachments, time that was tracked, folders and spaces',
    recognizedBy: ['task id', 'task name', 'task content', 'status'],
    fields: {
      'Task Content': 'description',
      'Parent ID': 'parent',
      'Time Estimated': ['estimateSeconds', 0.001],
      'List Name': 'project',
    },
    values: {
      Priority: { ...numberedPriorities, null: 'none' },
      ...Object.fromEntries(
        ['Task Content', 'Parent ID', 'Time Estimated', 'Due Date', 'Start Date', 'Date Closed'].map((name) => [
          name,
          nothing,
        ]),
      ),
    },
  },
  {
    name: 'planner',
    title: 'Microsoft Planner tasks (.xlsx, CSV)',
    how: 'in the menu of the plan, choose Export plan to Excel',
    lost: 'comments, checklists, attachments',
    recognizedBy: ['task name', 'bucket name', 'progress'],
    fields: { 'Bucket Name': 'stage', Progress: 'state' },
  },
  {
    name: 'youtrack',
    title: 'YouTrack issues (CSV)',
    how: 'in the list of issues, choose Export > Issues in CSV format',
    lost: 'comments, links, work items, sprints, fields of your own',
    recognizedBy: ['issue id', 'summary', 'state', 'reporter'],
    fields: { State: 'stage', Resolved: 'completedAt' },
    values: { Assignee: { unassigned: '' } },
  },
]

export const tableFormats: readonly CsvFormat[] = tables.map(
  ({ name, title, how, lost, recognizedBy, fields, values = {} }) => ({
    name,
    title,
    how,
    lost,
    type: 'csv',
    columns: Object.entries(fields).map(([column, meant]) =>
      typeof meant === 'string' ? { column, field: meant, factor: 1 } : { column, field: meant[0], factor: meant[1] },
    ),
    values: new Map(Object.entries(values).map(([column, words]) => [fold(column), new Map(Object.entries(words))])),
    recognizes: (columns) => recognizedBy.every((heading) => columns.has(heading)),
    open: () => createSheetReader((project) => `${name}:${project}`, true),
  }),
)
