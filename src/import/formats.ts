// Lists all formats, in the order in which they are tried.

import type { CsvFormat, JsonFormat } from './format.ts'
import { asana } from './formats/asana.ts'
import { github } from './formats/github.ts'
import { gitlabCsv } from './formats/gitlab-csv.ts'
import { jira } from './formats/jira.ts'
import { linear } from './formats/linear.ts'
import { redmine } from './formats/redmine.ts'

export const csvFormats: readonly CsvFormat[] = [jira, linear, gitlabCsv, asana, redmine]
export const jsonFormats: readonly JsonFormat[] = [github]
