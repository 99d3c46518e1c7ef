// Lists all formats, in the order in which they are tried: the most specific ones come first.

import type { CsvFormat, JsonFormat } from './format.ts'
import { asana } from './formats/asana.ts'
import { clockify } from './formats/clockify.ts'
import { exported } from './formats/export.ts'
import { github } from './formats/github.ts'
import { gitlab } from './formats/gitlab.ts'
import { gitlabCsv } from './formats/gitlab-csv.ts'
import { jira } from './formats/jira.ts'
import { linear } from './formats/linear.ts'
import { redmine } from './formats/redmine.ts'
import { sheet } from './formats/sheet.ts'
import { tableFormats } from './formats/tables.ts'
import { todoist } from './formats/todoist.ts'
import { toggl } from './formats/toggl.ts'
import { trello } from './formats/trello.ts'

export const csvFormats: readonly CsvFormat[] = [
  jira,
  linear,
  gitlabCsv,
  asana,
  redmine,
  todoist,
  toggl,
  clockify,
  ...tableFormats,
  sheet,
]
export const jsonFormats: readonly JsonFormat[] = [exported, gitlab, github, trello]

export const formats = [...csvFormats, ...jsonFormats]
