// Describes views, and reads register values from parts of responses.

import type { KeyName } from './register-world.ts'
import { absent, present, unknown } from './registers.ts'
import type { ViewOf } from './views.ts'

export const view = (path: string, shows: ViewOf['shows']): ViewOf => ({ path, shows })
export const viewAs = (key: KeyName, path: string, shows: ViewOf['shows']): ViewOf => ({ path, shows, key })

export const numberIn = (text: string) => Number(/\d+$/.exec(text)![0])
export const presenceOf = (thing: unknown) => (thing ? present : absent)
export const byId = (rows: any[], id: string) => rows.find((row) => row.id === id)
/** Unknown if the thing that shows the value does not exist. */
export const ifPresent = <T>(thing: T | undefined | null, read: (thing: T) => number) => (thing ? read(thing) : unknown)
/** The number at the end of a row's text, or absent if there is no row. */
export const inRow = (row: any, field: string) => (row ? numberIn(row[field]) : absent)
/** The duration of the only time entry of a project, or absent if there is none. */
export const secondsOf = (seconds: number) => seconds || absent

export const initialTasks = 3
