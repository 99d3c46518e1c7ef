// Lists all formats, in the order in which they are tried.

import type { CsvFormat, JsonFormat } from './format.ts'
import { github } from './formats/github.ts'
import { jira } from './formats/jira.ts'
import { workgate } from './formats/workgate.ts'

// The most specific ones come first.
export const csvFormats: readonly CsvFormat[] = [jira, workgate]
export const jsonFormats: readonly JsonFormat[] = [github]

export const formats = [...csvFormats, ...jsonFormats]
