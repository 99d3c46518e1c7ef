// The name of a project, and how it stands.

import type { Overview, Progress, Project } from '../api/types.ts'
import type { Names } from '../api/use-names.ts'
import { FormattedText } from '../parts/formatted-text.ts'
import { Outlook } from './outlook.tsx'

interface HeadProps {
  project: Project
  names: Names
  overview: Overview | undefined
  progress: Progress | undefined
  leftOut: string[]
}

export function Head({ project, names, overview, progress, leftOut }: HeadProps) {
  const { name, key, status, ownerId, description } = project
  return (
    <header class="project-head">
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p class="small quiet">
        {key}
        {status !== 'active' && ` · ${status}`}
        {ownerId !== null && (
          <>
            {' '}
            · owned by <bdi>{names.person(ownerId)}</bdi>
          </>
        )}
      </p>
      {description && (
        <div class="about quiet">
          <FormattedText text={description} format={null} />
        </div>
      )}
      {overview && <Outlook project={project} overview={overview} progress={progress} leftOut={leftOut} />}
    </header>
  )
}
