// Lists the migrations in order. After the first release, they are only added: never edit or remove a released one.

import directory from '../../../sql/migrations/0001-directory.sql'
import projects from '../../../sql/migrations/0002-projects.sql'
import kinds from '../../../sql/migrations/0003-kinds.sql'
import maintainedValues from '../../../sql/migrations/0004-maintained-values.sql'
import writers from '../../../sql/migrations/0005-writers.sql'
import keys from '../../../sql/migrations/0006-keys.sql'
import search from '../../../sql/migrations/0007-search.sql'
import indexes from '../../../sql/migrations/0008-indexes.sql'
import tallies from '../../../sql/migrations/0009-tallies.sql'
import tallyMaintenance from '../../../sql/migrations/0010-tally-maintenance.sql'
import freshness from '../../../sql/migrations/0011-freshness.sql'
import journal from '../../../sql/migrations/0012-journal.sql'
import epochs from '../../../sql/migrations/0013-epochs.sql'
import record from '../../../sql/migrations/0014-record.sql'
import tagsWatchersFiles from '../../../sql/migrations/0015-tags-watchers-files.sql'
import replication from '../../../sql/migrations/0016-replication.sql'
import changes from '../../../sql/migrations/0017-changes.sql'
import foreignKeys from '../../../sql/migrations/0018-foreign-keys.sql'
import imports from '../../../sql/migrations/0019-imports.sql'
import ownFields from '../../../sql/migrations/0020-own-fields.sql'
import sources from '../../../sql/migrations/0021-sources.sql'
import privileges from '../../../sql/migrations/0022-privileges.sql'

export const migrations: readonly Migration[] = [
  { name: '0001-directory', text: directory },
  { name: '0002-projects', text: projects },
  { name: '0003-kinds', text: kinds },
  { name: '0004-maintained-values', text: maintainedValues },
  { name: '0005-writers', text: writers },
  { name: '0006-keys', text: keys },
  { name: '0007-search', text: search },
  { name: '0008-indexes', text: indexes },
  { name: '0009-tallies', text: tallies },
  { name: '0010-tally-maintenance', text: tallyMaintenance },
  { name: '0011-freshness', text: freshness },
  { name: '0012-journal', text: journal },
  { name: '0013-epochs', text: epochs },
  { name: '0014-record', text: record },
  { name: '0015-tags-watchers-files', text: tagsWatchersFiles },
  { name: '0016-replication', text: replication },
  { name: '0017-changes', text: changes },
  { name: '0018-foreign-keys', text: foreignKeys },
  { name: '0019-imports', text: imports },
  { name: '0020-own-fields', text: ownFields },
  { name: '0021-sources', text: sources },
  { name: '0022-privileges', text: privileges },
]

export interface Migration {
  name: string
  text: string
}
