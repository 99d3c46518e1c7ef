// Lists all formats, in the order in which they are tried.

import type { CsvFormat, JsonFormat } from './format.ts'
import { clockify } from './formats/clockify.ts'
import { github } from './formats/github.ts'
import { gitlab } from './formats/gitlab.ts'
import { todoist } from './formats/todoist.ts'
import { toggl } from './formats/toggl.ts'
import { trello } from './formats/trello.ts'

export const csvFormats: readonly CsvFormat[] = [clockify, toggl, todoist]
export const jsonFormats: readonly JsonFormat[] = [github, gitlab, trello]
