// Marks for the state and the priority of a task. Their text is for screen readers and pointers.

import type { Task } from '../api/types.ts'

export const stateNames: Record<Task['state'], string> = {
  open: 'Open',
  completed: 'Completed',
  cancelled: 'Cancelled',
}

export const priorityNames: Record<Task['priority'], string> = {
  none: 'None',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  urgent: 'Urgent',
}

/** A ring; with a tick if the task is completed, and with a line through it if it is cancelled. */
export function StateMark({ state }: { state: Task['state'] }) {
  return (
    <span class={`mark ${state}`} title={stateNames[state]}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.25" />
        {state === 'completed' && <path d="M5 8.2 7.2 10.4 11 6.2" />}
        {state === 'cancelled' && <path d="M5.5 8h5" />}
      </svg>
      <span class="hidden">{stateNames[state]}</span>
    </span>
  )
}

const bars = ['low', 'medium', 'high']

/** Bars that rise, or an exclamation mark. Nothing if there is no priority. */
export function PriorityMark({ priority }: { priority: Task['priority'] }) {
  if (priority === 'none') return null
  const filled = bars.indexOf(priority)
  return (
    <span class={`mark priority ${priority}`} title={`${priorityNames[priority]} priority`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {priority === 'urgent' ? (
          <path d="M8 3v6.5M8 12.9v.1" />
        ) : (
          bars.map((bar, n) => (
            <rect
              key={bar}
              class={n <= filled ? 'filled' : ''}
              x={2 + n * 4.5}
              y={9 - n * 3}
              width="3"
              height={4 + n * 3}
              rx="1"
            />
          ))
        )}
      </svg>
      <span class="hidden">{priorityNames[priority]} priority</span>
    </span>
  )
}
