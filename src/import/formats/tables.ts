// Tools whose CSV is a table of tasks: only their own headings and values differ from those of a spreadsheet.

import { fold } from '../columns.ts'
import type { CsvFormat } from '../format.ts'
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
  /** The name of a custom field, in the heading of its column. */
  customField?: RegExp
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
    lost: 'comments, links except parents, fields of your own',
    recognizedBy: ['id', 'work item type', 'title', 'state'],
    fields: {
      'Work Item Type': 'type',
      State: 'stage',
      'Target Date': 'dueDate',
      'Original Estimate': ['estimateSeconds', 3_600],
      'Team Project': 'project',
      'Iteration Path': 'fields.iteration',
      'Area Path': 'fields.area',
      'Story Points': 'fields.storyPoints',
      Effort: 'fields.effort',
      Size: 'fields.size',
      Severity: 'fields.severity',
      Risk: 'fields.risk',
      'Business Value': 'fields.businessValue',
      'Value Area': 'fields.valueArea',
      Activity: 'fields.activity',
      'Remaining Work': 'fields.remainingWork',
      'Completed Work': 'fields.completedWork',
      'Acceptance Criteria': 'fields.acceptanceCriteria',
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
      'Sprint Points': 'fields.sprintPoints',
      'Points Estimate': 'fields.sprintPoints',
      Sprints: 'fields.sprints',
    },
    // A view is exported with its custom fields.
    customField:
      /^(.+) \((?:short text|text|number|currency|drop down|labels|checkbox|date|email|phone|url|website|users|people|rating|emoji|manual progress|formula)\)$/i,
    values: {
      Priority: { ...numberedPriorities, null: 'none' },
      ...Object.fromEntries(
        [
          'Task Content',
          'Parent ID',
          'Time Estimated',
          'Due Date',
          'Start Date',
          'Date Closed',
          'Sprint Points',
          'Sprints',
        ].map((name) => [name, nothing]),
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
    lost: 'comments, links, work items, fields of your own',
    recognizedBy: ['issue id', 'summary', 'state', 'reporter'],
    fields: {
      State: 'stage',
      Resolved: 'completedAt',
      Sprints: 'fields.sprints',
      'Story points': 'fields.storyPoints',
      Estimation: 'fields.estimation',
      Subsystem: 'fields.subsystem',
      'Fix versions': 'fields.fixVersions',
      'Affected versions': 'fields.affectedVersions',
      'Fixed in build': 'fields.fixedInBuild',
    },
    values: { Assignee: { unassigned: '' } },
  },
]

export const tableFormats: readonly CsvFormat[] = tables.map(
  ({ name, title, how, lost, recognizedBy, fields, customField, values = {} }) => ({
    name,
    title,
    how,
    lost,
    type: 'csv',
    columns: Object.entries(fields).map(([column, meant]) =>
      typeof meant === 'string' ? { column, field: meant, factor: 1 } : { column, field: meant[0], factor: meant[1] },
    ),
    values: new Map(Object.entries(values).map(([column, words]) => [fold(column), new Map(Object.entries(words))])),
    ownColumn: (heading) => {
      const custom = customField?.exec(heading)?.[1]
      return custom === undefined ? undefined : { name: custom }
    },
    recognizes: (columns) => recognizedBy.every((heading) => columns.has(heading)),
    open: () => createSheetReader((project) => `${name}:${project}`, true),
  }),
)
