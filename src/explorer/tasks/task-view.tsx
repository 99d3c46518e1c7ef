export function TaskView({ project, task }: { project: string; task: string }) {
  return (
    <p>
      {project} {task}
    </p>
  )
}
