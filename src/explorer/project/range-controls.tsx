// Chooses the range and the time zone of all panels, and says them on paper.

import { Segments } from '../parts/segments.tsx'
import { addDays, formatPeriod } from '../text/format.ts'
import { changeQuery } from '../text/route.ts'
import { ownZone } from '../text/zones.ts'
import { lengths, type Range } from './range.ts'

export function RangeControls({ range: { weeks, timezone, from, to } }: { range: Range }) {
  const zones = [...new Set([ownZone(), 'UTC', timezone])]
  return (
    <div class="range">
      <p class="paper">
        Charts: {formatPeriod(from, addDays(to, -1))}, days in {timezone}
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
    </div>
  )
}
