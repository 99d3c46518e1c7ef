// The kinds of registers about keys. A deleted key is inserted again from public.copies, which insertWorld creates.

import { projectIds } from './ids.ts'
import type { Kind } from './kinds.ts'

export const limitFrom = 500_000

const [one, two] = projectIds
const numbers = 'unnest($1::uuid[], $2::integer[]) as w (id, n)'
const once = 'unnest($1::uuid[]) as w (id)'

// prettier-ignore
export const keyKinds: Kind[] = [
  { name: 'key rescoped', of: 'key',
    write: `select workgate.set_key_projects('rescoped', '{${one},${two}}') from ${numbers}`,
    remove: `select workgate.set_key_projects('rescoped', '{${one}}') from ${once}` },
  { name: 'key revoked', of: 'key',
    write: `update workgate.api_keys t set revoked_at = null from ${numbers} where t.name = 'revoked'`,
    remove: `select workgate.revoke_key('revoked') from ${once}` },
  { name: 'key expiring', of: 'key', after: 25,
    write: `update workgate.api_keys t set expires_at = null from ${numbers} where t.name = 'expiring'`,
    remove: `update workgate.api_keys t set expires_at = clock_timestamp() + interval '20 ms' from ${once} where t.name = 'expiring'` },
  { name: 'key deleted', of: 'key',
    write: `insert into workgate.api_keys select k.* from public.copies k, ${numbers} where k.name = 'deleted' on conflict do nothing`,
    remove: `delete from workgate.api_keys t using ${once} where t.name = 'deleted'` },
  { name: 'key limited', of: 'key',
    write: `update workgate.api_keys t set rate_limit_per_minute = ${limitFrom} + w.n from ${numbers} where t.name = 'limited'` },
  { name: 'key creating', of: 'key', counts: true },
]
