// Asks for a key, and shows the view that the address names.

import { useEffect, useMemo, useState } from 'preact/hooks'
import { createClient, type Problem } from './api/client.ts'
import { forgetKey, storedKey, storeKey } from './api/stored-key.ts'
import type { Data, Key } from './api/types.ts'
import { ClientContext, useRead } from './api/use-read.ts'
import { KeyForm } from './key-form.tsx'
import { KeyFacts } from './overview/key-facts.tsx'
import { Overview } from './overview/overview.tsx'
import { ProblemNotice } from './parts/problem.tsx'
import { useScrollPlace } from './parts/use-scroll-place.ts'
import { PrintNote } from './print/print-note.tsx'
import { usePrint, WantedRows } from './print/use-print.ts'
import { ProjectView } from './project/project-view.tsx'
import { TaskList } from './tasks/task-list.tsx'
import { TaskView } from './tasks/task-view.tsx'
import { linkTo, useRoute } from './text/route.ts'

export function App() {
  const [key, setKey] = useState(storedKey)
  const [refusal, setRefusal] = useState<Problem>()
  const client = useMemo(() => {
    if (key === undefined) return undefined
    return createClient(key, (problem) => {
      setRefusal(problem)
      close()
    })
  }, [key])

  function open(entered: string, isRemembered: boolean) {
    if (isRemembered) storeKey(entered)
    setRefusal(undefined)
    setKey(entered)
  }
  function close() {
    forgetKey()
    setKey(undefined)
  }

  if (client === undefined) return <KeyForm refusal={refusal} onOpen={open} />
  return (
    <ClientContext.Provider value={client}>
      <Opened onClose={close} />
    </ClientContext.Provider>
  )
}

/** Everything that needs a key. */
function Opened({ onClose }: { onClose: () => void }) {
  const { parts, query } = useRoute()
  const { body, problem } = useRead<Data<Key>>('/key')
  const [isKeyShown, showKey] = useState(false)
  const place = parts.join('/')
  useScrollPlace(place)
  const { wantedRows, startPrinting } = usePrint(place)
  useEffect(() => {
    document.title = titleOf(parts)
  }, [place])

  return (
    <>
      <nav class="trail" aria-label="Place">
        <Trail parts={parts} />
        <span class="key">
          <button type="button" class="plain" disabled={wantedRows > 0} onClick={startPrinting}>
            {wantedRows > 0 ? 'Loading all rows' : 'Print'}
          </button>
          {body && place !== '' && (
            <button type="button" class="plain" aria-expanded={isKeyShown} onClick={() => showKey(!isKeyShown)}>
              Key {body.data.name}
            </button>
          )}
          <button type="button" class="plain" onClick={onClose}>
            Forget key
          </button>
        </span>
      </nav>
      <PrintNote />
      {body === undefined && problem ? (
        <ProblemNotice problem={problem} />
      ) : (
        <WantedRows.Provider value={wantedRows}>
          {(isKeyShown || place === '') && <KeyFacts apiKey={body?.data} />}
          <View parts={parts} query={query} />
        </WantedRows.Provider>
      )}
    </>
  )
}

/** Such as "WEB-12 · Workgate". */
function titleOf([first, project, second, task]: string[]): string {
  const name = first === undefined ? 'Projects' : second === undefined ? (project ?? 'Tasks') : undefined
  return `${name ?? (task === undefined ? `Tasks of ${project}` : `${project}-${task}`)} · Workgate`
}

function View({ parts, query }: { parts: string[]; query: URLSearchParams }) {
  const [first, project, second, task] = parts
  if (first === undefined) return <Overview query={query} />
  if (first === 'tasks') return <TaskList key="all" project={undefined} query={query} />
  if (first === 'projects' && project !== undefined) {
    if (second === undefined) return <ProjectView key={project} project={project} query={query} />
    if (second === 'tasks' && task !== undefined)
      return <TaskView key={`${project} ${task}`} project={project} task={task} />
    if (second === 'tasks') return <TaskList key={project} project={project} query={query} />
  }
  return (
    <div class="notice">
      <h1>There is no page at this address.</h1>
      <p>
        <a href="#/">All projects</a>
      </p>
    </div>
  )
}

/** Links to the places above this one. */
function Trail({ parts }: { parts: string[] }) {
  const [first, project, second, task] = parts
  if (first === undefined) return <h1>Projects</h1>
  return (
    <ol>
      <li>
        <a href="#/">Projects</a>
      </li>
      {first === 'projects' && second !== undefined && (
        <li>
          <a href={linkTo([first, project!])}>{project}</a>
        </li>
      )}
      {task !== undefined && (
        <li>
          <a href={linkTo([first, project!, 'tasks'], { state: 'open' })}>Tasks</a>
        </li>
      )}
    </ol>
  )
}
