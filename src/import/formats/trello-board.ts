// The parts of a Trello board that are of use here, and what refers to them by id.

import * as v from 'valibot'
import type { OwnFields, Person } from '../objects.ts'
import { own } from '../row.ts'
import { moment } from '../staged.ts'

const text = v.nullish(v.string())
const position = v.optional(v.number(), 0)
const ids = v.optional(v.array(v.string()), [])
const member = v.nullish(v.object({ id: v.string(), username: text, fullName: text }))
const label = v.object({ id: v.string(), name: text, color: text })

const cardSchema = v.object({
  id: v.pipe(v.string(), v.regex(/^[\da-f]{24}$/, 'must be 24 hexadecimal digits')),
  idShort: v.optional(v.number()),
  idList: v.string(),
  name: v.string(),
  desc: text,
  pos: position,
  closed: v.nullish(v.boolean()),
  isTemplate: v.nullish(v.boolean()),
  start: v.nullish(moment),
  due: v.nullish(moment),
  dueComplete: v.nullish(v.boolean()),
  dateLastActivity: v.optional(moment),
  shortUrl: v.optional(v.string()),
  idMembers: ids,
  idLabels: ids,
  attachments: v.optional(
    v.array(
      v.object({
        id: v.string(),
        name: text,
        url: v.string(),
        isUpload: v.nullish(v.boolean()),
        bytes: v.nullish(v.number()),
        mimeType: text,
        date: v.optional(moment),
        idMember: text,
      }),
    ),
    [],
  ),
  customFieldItems: v.optional(
    v.array(
      v.object({
        idCustomField: v.string(),
        idValue: text,
        value: v.nullish(v.object({ text, number: text, date: text, checked: text })),
      }),
    ),
    [],
  ),
})

const actionSchema = v.object({
  id: v.string(),
  type: v.string(),
  date: v.optional(moment),
  memberCreator: member,
  data: v.object({
    card: v.optional(v.object({ id: v.string() })),
    text,
    old: v.optional(v.record(v.string(), v.unknown())),
    dateLastEdited: v.optional(moment),
  }),
})

export const boardSchema = v.object({
  id: v.string(),
  name: v.string(),
  desc: text,
  lists: v.array(v.object({ id: v.string(), name: v.string(), closed: v.nullish(v.boolean()), pos: position })),
  cards: v.array(cardSchema),
  labels: v.optional(v.array(label), []),
  customFields: v.optional(
    v.array(
      v.object({
        id: v.string(),
        name: v.string(),
        options: v.nullish(v.array(v.object({ id: v.string(), value: v.object({ text: v.string() }) }))),
      }),
    ),
    [],
  ),
  members: v.optional(v.array(member), []),
  checklists: v.optional(
    v.array(
      v.object({
        idCard: v.string(),
        name: v.string(),
        pos: position,
        checkItems: v.array(v.object({ name: v.string(), state: v.string(), pos: position })),
      }),
    ),
    [],
  ),
  actions: v.optional(v.array(actionSchema), []),
})

export type Board = v.InferOutput<typeof boardSchema>
export type Card = Board['cards'][number]
export type List = Board['lists'][number]
export type Action = Board['actions'][number]
export type Attachment = Card['attachments'][number]

/** Those who have left the board are only in its actions. */
export function peopleOf(board: Board): Map<string, Person> {
  const members = [...board.actions.map((one) => one.memberCreator), ...board.members]
  return new Map(members.flatMap((one) => (one ? [[one.id, personOf(one)]] : [])))
}

const personOf = ({ id, username, fullName }: NonNullable<Action['memberCreator']>): Person => ({
  login: username ?? id,
  name: fullName || username,
})

/** `dayOf` tells the day of a time. */
export function customFieldsOf(board: Board, card: Card, dayOf: (time: string) => string): OwnFields {
  const valueOf = ({ id, options }: Board['customFields'][number]): OwnFields[string] => {
    const item = card.customFieldItems.find((one) => one.idCustomField === id)
    const chosen = options?.find((one) => one.id === item?.idValue)
    const { checked, date, number, text } = item?.value ?? {}
    if (checked) return checked === 'true'
    return chosen?.value.text ?? (date ? dayOf(date) : (number ?? text ?? null))
  }
  return Object.fromEntries(board.customFields.map((field) => [field.name, valueOf(field)]))
}

/** As Markdown, in the order of the card. */
export function checklistsOf(board: Board, card: Card): string[] {
  const checklists = board.checklists.filter((one) => one.idCard === card.id).toSorted(byPosition)
  return checklists.map(({ name, checkItems }) => {
    const items = checkItems.toSorted(byPosition)
    return [`**${name}**\n`, ...items.map((item) => `- [${item.state === 'complete' ? 'x' : ' '}] ${item.name}`)].join(
      '\n',
    )
  })
}

export const byPosition = (a: { pos: number }, b: { pos: number }) => a.pos - b.pos

/** The first eight digits of an id are the time at which it was made. */
export const timeOf = (id: string) => new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000).toISOString()

const colors: Readonly<Record<string, string>> = {
  green: '#61bd4f',
  yellow: '#f2d600',
  orange: '#ff9f1a',
  red: '#eb5a46',
  purple: '#c377e0',
  blue: '#0079bf',
  sky: '#00c2e0',
  lime: '#51e898',
  pink: '#ff78cb',
  black: '#344563',
}

/** A color can have shades, such as green_dark. */
export const colorOf = (name: string | null | undefined) => own(colors, name?.replace(/_(?:dark|light)$/, '') ?? '')
