// The lines of "workgate export".

import { isUuid } from '../../api/input/values.ts'
import type { JsonFormat, JsonObject } from '../format.ts'
import { InvalidValue } from '../invalid.ts'
import type { Exported } from '../objects.ts'
import { kinds } from '../staged.ts'

/** Exports of earlier versions spell a kind in another way. */
const kindOf = ({ kind }: Readonly<Record<string, unknown>>) => (kind === 'timeEntry' ? 'time_entry' : kind)

const isId = (value: unknown) => typeof value === 'string' && isUuid(value)

export const exported: JsonFormat = {
  name: 'export',
  title: 'Export of this service (JSON Lines)',
  how: 'use the command of this service',
  command: 'workgate export --project WEB export.json',
  lost: 'API keys; a task keeps its version, but not the earlier ones',
  type: 'json',
  recognizes: (record) => kinds.some((kind) => kind === kindOf(record)) && 'id' in record,
  open: () => (record) => {
    for (const name of ['id', 'projectId'])
      if (record[name] !== undefined && !isId(record[name]))
        throw new InvalidValue(name, String(record[name]), 'must be a UUID')
    if (record['kind'] === 'project' && record['key'] === undefined) throw new InvalidValue('key', '', 'is missing')
    return [{ kind: 'exported', line: { ...record, kind: kindOf(record) } as JsonObject & Exported['line'] }]
  },
}
