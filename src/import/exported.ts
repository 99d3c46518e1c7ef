// The lines of an export, which have ids of this service already.

import { InvalidValue } from './invalid.ts'
import { noProjectId, type Mentions } from './mentions.ts'
import type { Exported } from './objects.ts'
import { staged, type StagedRow } from './staged.ts'

/** `projectKey` is the value of --project. The result returns the row of a line. `shorten` is applied to tasks. */
export function createExportedReader(
  projectKey: string | undefined,
  mentions: Mentions,
  shorten: (task: object) => object,
) {
  let onlyProject: string | undefined

  /** With --project, the rows of the only project in the file go to that one. */
  function placeOf(exportedId: string): string {
    if (projectKey === undefined) return exportedId
    onlyProject ??= exportedId
    if (exportedId !== onlyProject)
      throw new InvalidValue('projectId', exportedId, 'is that of another project than before: leave out --project')
    return mentions.idOf('', 'project', projectKey)
  }

  return ({ line: { kind, id, projectId, ...data } }: Exported): StagedRow => {
    if (kind === 'user' || kind === 'team') return staged(kind, noProjectId, id, data)
    if (kind === 'project') {
      const place = placeOf(id)
      mentions.mention(place, place)
      return staged(kind, place, place, { ...data, ...(projectKey !== undefined && { key: projectKey, byKey: true }) })
    }
    if (kind === 'field' && projectId === undefined)
      return staged(kind, projectKey === undefined ? noProjectId : mentions.idOf('', 'project', projectKey), id, data)
    if (projectId === undefined) throw new InvalidValue('projectId', '', 'is missing')
    const place = placeOf(projectId)
    if (projectKey !== undefined)
      mentions.once('project', place, place, () => ({ name: projectKey, key: projectKey, byKey: true }))
    else if (!mentions.hasMentioned(place))
      throw new InvalidValue('projectId', projectId, 'is that of no project before it: name one, such as --project WEB')
    return staged(kind, place, id, kind === 'task' ? shorten(data) : data)
  }
}
