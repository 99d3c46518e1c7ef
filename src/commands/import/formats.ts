// Lists all formats, in the order in which they are tried: the most specific ones come first.

import type { CsvFormat, JsonFormat } from './format.ts'
import { asana } from './formats/asana.ts'
import { github } from './formats/github.ts'
import { gitlabCsv } from './formats/gitlab-csv.ts'
import { jira } from './formats/jira.ts'
import { linear } from './formats/linear.ts'
import { redmine } from './formats/redmine.ts'
import { workgate } from './formats/workgate.ts'

export const csvFormats: readonly CsvFormat[] = [jira, linear, gitlabCsv, asana, redmine, workgate]
export const jsonFormats: readonly JsonFormat[] = [github]

export const formats = [...csvFormats, ...jsonFormats]
