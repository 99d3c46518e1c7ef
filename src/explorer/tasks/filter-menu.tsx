// A menu of the filters that are used most. The address can have all that the API knows.

import type { Names } from '../api/use-names.ts'
import { Menu } from '../parts/menu.tsx'
import { changeQuery } from '../text/route.ts'
import { priorityNames, stateNames } from './marks.tsx'

interface FilterMenuProps {
  project: string | undefined
  query: URLSearchParams
  names: Names
}

export function FilterMenu({ project, query, names }: FilterMenuProps) {
  return (
    <Menu title="Add filter">
      {project === undefined && (
        <Choice label="Project" name="projectId" query={query} options={projectOptions(names)} />
      )}
      <Choice label="State" name="state" query={query} options={Object.entries(stateNames)} />
      {project !== undefined && (
        <>
          <Choice label="Assignee" name="assigneeId" query={query} options={assigneeOptions(names)} />
          <Choice label="Stage" name="stageId" query={query} options={stageOptions(names)} />
        </>
      )}
      <Choice label="Priority" name="priority" query={query} options={Object.entries(priorityNames)} />
      <Choice
        label="Overdue"
        name="overdue"
        query={query}
        options={[
          ['true', 'Yes'],
          ['false', 'No'],
        ]}
      />
    </Menu>
  )
}

type Option = [value: string, title: string]

const projectOptions = ({ projects }: Names): Option[] => projects.map(({ key, name }) => [key, name])

const assigneeOptions = ({ users }: Names): Option[] => [
  ['none', 'Nobody'],
  ...users.map(({ id, name, active }): Option => [id, active ? name : `${name} (has left)`]),
]

/** The stages of the boards in order. Their boards are named if there are several. */
const stageOptions = ({ boards, stages }: Names): Option[] =>
  boards.flatMap((board) =>
    stages
      .filter(({ boardId }) => boardId === board.id)
      .map(({ id, name }): Option => [id, boards.length > 1 ? `${board.name}: ${name}` : name]),
  )

interface ChoiceProps {
  label: string
  name: string
  query: URLSearchParams
  options: Option[]
}

function Choice({ label, name, query, options }: ChoiceProps) {
  const current = query.get(name) ?? ''
  const isListed = current === '' || options.some(([value]) => value === current)
  return (
    <label>
      <span>{label}</span>
      <select value={current} onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}>
        <option value="">Any</option>
        {!isListed && <option value={current}>As in the address</option>}
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </label>
  )
}
