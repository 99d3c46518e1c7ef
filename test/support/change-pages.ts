// Pages of changes, as tests read them.

export interface Change {
  kind: string
  op: string
  projectId: string
  id: string
  event: string | null
  at: string | null
  by: { channel: string; actor: Record<string, unknown> } | null
  fields: string[] | null
  object: Record<string, unknown> | null
}

export interface ChangePage {
  data: Change[]
  meta: { limit: number; cursor: string; nextCursor: string | null; hasMore: boolean }
}

/** The object, and what has happened to it. */
export const short = ({ kind, op, id, fields }: Change) => [kind, op, Number(id.slice(-12)), fields?.join() ?? null]
