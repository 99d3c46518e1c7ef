export function TaskList({ project, query }: { project: string | undefined; query: URLSearchParams }) {
  return (
    <p>
      {project} {query.toString()}
    </p>
  )
}
