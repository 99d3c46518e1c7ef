// Lists the migrations in order. After the first release, they are only added: never edit or remove a released one.

import directory from '../../../sql/migrations/0001-directory.sql'
import projects from '../../../sql/migrations/0002-projects.sql'
import maintainedValues from '../../../sql/migrations/0003-maintained-values.sql'
import keys from '../../../sql/migrations/0004-keys.sql'
import search from '../../../sql/migrations/0005-search.sql'
import indexes from '../../../sql/migrations/0006-indexes.sql'
import tallies from '../../../sql/migrations/0007-tallies.sql'
import tallyMaintenance from '../../../sql/migrations/0008-tally-maintenance.sql'
import freshness from '../../../sql/migrations/0009-freshness.sql'
import journal from '../../../sql/migrations/0010-journal.sql'
import epochs from '../../../sql/migrations/0011-epochs.sql'
import record from '../../../sql/migrations/0012-record.sql'
import tagsWatchersFiles from '../../../sql/migrations/0013-tags-watchers-files.sql'
import replication from '../../../sql/migrations/0014-replication.sql'
import changes from '../../../sql/migrations/0015-changes.sql'
import foreignKeys from '../../../sql/migrations/0016-foreign-keys.sql'

export const migrations: readonly Migration[] = [
  { name: '0001-directory', text: directory },
  { name: '0002-projects', text: projects },
  { name: '0003-maintained-values', text: maintainedValues },
  { name: '0004-keys', text: keys },
  { name: '0005-search', text: search },
  { name: '0006-indexes', text: indexes },
  { name: '0007-tallies', text: tallies },
  { name: '0008-tally-maintenance', text: tallyMaintenance },
  { name: '0009-freshness', text: freshness },
  { name: '0010-journal', text: journal },
  { name: '0011-epochs', text: epochs },
  { name: '0012-record', text: record },
  { name: '0013-tags-watchers-files', text: tagsWatchersFiles },
  { name: '0014-replication', text: replication },
  { name: '0015-changes', text: changes },
  { name: '0016-foreign-keys', text: foreignKeys },
]

export interface Migration {
  name: string
  text: string
}
