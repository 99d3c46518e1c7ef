// Chooses what the figures of progress count: tasks or the sum of a field, and of which types.

import type { Overview } from '../api/types.ts'
import { Menu } from '../parts/menu.tsx'
import { changeQuery } from '../text/route.ts'
import { fieldTitle } from '../text/own-fields.ts'
import { hasTypes, typeNames, type Selection } from './selection.ts'

interface SelectionControlsProps {
  overview: Overview
  selection: Selection
}

/** A choice of the address stays visible, so that it can be changed, even if the project does not have it. */
export function SelectionControls({ overview: { fields, byType }, selection }: SelectionControlsProps) {
  const { measure, leftOut } = selection
  const numbers = fields.filter(({ type }) => type === 'number').map(({ name }) => name)
  const measures = [...new Set([...numbers, ...(measure === undefined ? [] : [measure])])]
  return (
    <>
      {measures.length > 0 && <MeasureSelect measures={measures} current={measure ?? ''} />}
      {(hasTypes(byType) || leftOut.length > 0) && (
        <TypeMenu types={[...new Set([...typeNames(byType), ...leftOut])]} leftOut={leftOut} />
      )}
    </>
  )
}

function MeasureSelect({ measures, current }: { measures: string[]; current: string }) {
  return (
    <label class="measure">
      <span class="quiet">Measure</span>
      <select value={current} onChange={(event) => changeQuery({ measure: event.currentTarget.value })}>
        <option value="">Tasks</option>
        {measures.map((name) => (
          <option key={name} value={name}>
            {fieldTitle(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

function TypeMenu({ types, leftOut }: { types: string[]; leftOut: string[] }) {
  const change = (type: string, isCounted: boolean) =>
    changeQuery({ leaveOutType: types.filter((one) => (one === type ? !isCounted : leftOut.includes(one))).join(',') })
  return (
    <Menu title={leftOut.length === 0 ? 'All types' : `${types.length - leftOut.length} of ${types.length} types`}>
      {types.map((type) => (
        <label key={type} class="check">
          <input
            type="checkbox"
            checked={!leftOut.includes(type)}
            onChange={(event) => change(type, event.currentTarget.checked)}
          />
          {type === 'none' ? <span class="quiet">No type</span> : <bdi>{type}</bdi>}
        </label>
      ))}
    </Menu>
  )
}
