// The migrations in their order. Append; never edit or remove one that has been released.

import directory from '../../sql/migrations/0001-directory.sql'
import projects from '../../sql/migrations/0002-projects.sql'
import triggers from '../../sql/migrations/0003-triggers.sql'
import keys from '../../sql/migrations/0004-keys.sql'
import search from '../../sql/migrations/0005-search.sql'
import taskOrders from '../../sql/migrations/0006-task-orders.sql'
import recordOrders from '../../sql/migrations/0007-record-orders.sql'
import exactNumbers from '../../sql/migrations/0008-exact-numbers.sql'
import cancelledAt from '../../sql/migrations/0009-cancelled-at.sql'
import tallies from '../../sql/migrations/0010-tallies.sql'
import tallyTriggers from '../../sql/migrations/0011-tally-triggers.sql'
import recount from '../../sql/migrations/0012-recount.sql'
import calendar from '../../sql/migrations/0013-calendar.sql'
import summary from '../../sql/migrations/0014-summary.sql'
import freshness from '../../sql/migrations/0015-freshness.sql'
import replication from '../../sql/migrations/0016-replication.sql'
import rights from '../../sql/migrations/0017-rights.sql'
import chances from '../../sql/migrations/0018-chances.sql'
import names from '../../sql/migrations/0019-names.sql'

export const migrations: readonly Migration[] = [
  { name: '0001-directory', text: directory },
  { name: '0002-projects', text: projects },
  { name: '0003-triggers', text: triggers },
  { name: '0004-keys', text: keys },
  { name: '0005-search', text: search },
  { name: '0006-task-orders', text: taskOrders },
  { name: '0007-record-orders', text: recordOrders },
  { name: '0008-exact-numbers', text: exactNumbers },
  { name: '0009-cancelled-at', text: cancelledAt },
  { name: '0010-tallies', text: tallies },
  { name: '0011-tally-triggers', text: tallyTriggers },
  { name: '0012-recount', text: recount },
  { name: '0013-calendar', text: calendar },
  { name: '0014-summary', text: summary },
  { name: '0015-freshness', text: freshness },
  { name: '0016-replication', text: replication },
  { name: '0017-rights', text: rights },
  { name: '0018-chances', text: chances },
  { name: '0019-names', text: names },
]

export interface Migration {
  name: string
  text: string
}
