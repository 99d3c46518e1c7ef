// The name of a project, and how it stands.

import type { Overview, Progress, Project } from '../api/types.ts'
import { Outlook } from './outlook.tsx'

interface HeadProps {
  project: Project
  overview: Overview | undefined
  progress: Progress | undefined
}

export function Head({ project, overview, progress }: HeadProps) {
  const { name, key, status } = project
  return (
    <header class="project-head">
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p class="small quiet">
        {key}
        {status !== 'active' && ` · ${status}`}
      </p>
      {overview && <Outlook project={project} overview={overview} progress={progress} />}
    </header>
  )
}
