export function ProjectView({ project, query }: { project: string; query: URLSearchParams }) {
  return (
    <p>
      {project} {query.toString()}
    </p>
  )
}
