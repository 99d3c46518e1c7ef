// Lists all formats, in the order in which they are tried.

import type { CsvFormat, JsonFormat } from './format.ts'
import { github } from './formats/github.ts'
import { workgate } from './formats/workgate.ts'

export const csvFormats: readonly CsvFormat[] = [workgate]
export const jsonFormats: readonly JsonFormat[] = [github]
