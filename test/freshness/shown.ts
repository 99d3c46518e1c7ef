// How numbers of registers are found in answers.

import { absent, present, unknown } from './registers.ts'

export const numberIn = (text: string) => Number(/\d+$/.exec(text)![0])
export const isThere = (there: unknown) => (there ? present : absent)
export const byId = (rows: any[], id: string) => rows.find((row) => row.id === id)
/** Of what shows nothing where something else is not there. */
export const ifAny = <T>(thing: T | undefined | null, read: (thing: T) => number) => (thing ? read(thing) : unknown)
/** The number at the end of a row's text, if there is the row. */
export const inRow = (row: any, field: string) => (row ? numberIn(row[field]) : absent)
/** Seconds tell how long the one entry of a project is, if there is any. */
export const secondsOf = (seconds: number) => seconds || absent

export const tasksAtFirst = 3
