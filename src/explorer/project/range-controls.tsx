// Chooses the range and the time zone of all panels and what progress counts, and says them on paper.

import type { Overview } from '../api/types.ts'
import { Segments } from '../parts/segments.tsx'
import { addDays, formatPeriod } from '../text/format.ts'
import { changeQuery } from '../text/route.ts'
import { unitOf } from '../text/own-fields.ts'
import { ownZone } from '../text/zones.ts'
import { lengths, type Range } from './range.ts'
import { SelectionControls } from './selection-controls.tsx'
import { leavingOut, type Selection } from './selection.ts'

interface RangeControlsProps {
  range: Range
  selection: Selection
  overview: Overview | undefined
}

export function RangeControls({ range, selection, overview }: RangeControlsProps) {
  const { weeks, timezone, from, to } = range
  const { measure, leftOut } = selection
  const zones = [...new Set([ownZone(), 'UTC', timezone])]
  return (
    <div class="range">
      <p class="paper">
        Charts: {formatPeriod(from, addDays(to, -1))}, days in {timezone}
        {measure !== undefined && `, measured in ${unitOf(measure)[1]}`}
        {leavingOut(leftOut) && `, ${leavingOut(leftOut)}`}
      </p>
      <Segments
        label="Range"
        options={lengths.map(([weeks, title]) => [String(weeks), title])}
        current={String(weeks)}
        onChoose={(weeks) => changeQuery({ weeks })}
      />
      {zones.length > 1 && (
        <Segments
          label="Time zone of the days"
          options={zones.map((zone) => [zone, zone.replace(/^.*\//, '').replaceAll('_', ' ')])}
          current={timezone}
          onChoose={(timezone) => changeQuery({ timezone })}
        />
      )}
      {overview && <SelectionControls overview={overview} selection={selection} />}
    </div>
  )
}
