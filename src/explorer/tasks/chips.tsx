// The filters of a list, each with a button that removes it.

import { changeQuery } from '../text/route.ts'
import type { Filter } from './filters.ts'

export function Chips({ filters, clearLink }: { filters: Filter[]; clearLink: string }) {
  if (filters.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {filters.map(({ name, label, value }) => (
        <li key={name} class="chip">
          <span>
            {label && <span class="quiet">{label} </span>}
            <bdi>{value}</bdi>
          </span>
          <button
            type="button"
            aria-label={`Remove the filter ${label} ${value}`}
            onClick={() => changeQuery({ [name]: '' })}
          >
            <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
              <path d="m4 4 8 8m0-8-8 8" />
            </svg>
          </button>
        </li>
      ))}
      {filters.length > 1 && (
        <li class="screen">
          <a class="small" href={clearLink}>
            Clear all
          </a>
        </li>
      )}
    </ul>
  )
}
