// What is shown of progress.

import * as v from 'valibot'
import { count, day, described, named, positive } from '../shown.ts'
import { reasons } from './forecast.ts'
import { mostBuckets, rangeShown, steps } from './range.ts'

// Where a task is completed or cancelled at a time before it was created, the sums fall below zero for a while.
const difference = v.pipe(v.number(), v.integer())

const interval = named('ProgressInterval', 'What happened in a day, week or month, and what there was at its end.', {
  start: day,
  end: described('Not included.', day),
  created: count,
  completed: described('As the tasks are stored now: one that was opened again is not completed.', count),
  cancelled: described('As the tasks are stored now.', count),
  reopened: described('How often a completed or cancelled task became open, by the history.', count),
  scope: described('Tasks created by then less those cancelled by then.', difference),
  done: described('Tasks completed by then.', count),
  remaining: described('`scope` less `done`.', difference),
})

const seconds = v.nullable(count)

const leadTime = named('LeadTime', 'From creation to completion, of the tasks completed in the range.', {
  count,
  p50Seconds: described('Half of them took so much or less, within 2 %; `null` without any.', seconds),
  p85Seconds: described('85 % of them took so much or less, within 2 %.', seconds),
  p95Seconds: described('95 % of them took so much or less, within 2 %.', seconds),
  meanSeconds: described('Exact, in whole seconds.', seconds),
})

const later = described('`null` where it lies more than 1,100 days ahead.', v.nullable(day))

const forecast = named('Forecast', 'When the open tasks will be done.', {
  remaining: described('The tasks that are open now.', positive),
  p50Date: described('Half of the trials are done by then.', day),
  p85Date: later,
  p95Date: later,
})

export const progress = named('Progress', 'How the work of a project went over a range of days.', {
  ...rangeShown,
  interval: v.picklist(steps),
  series: described(
    'Every interval of the range; the first and the last one are cut to it.',
    v.pipe(v.array(interval), v.minLength(1), v.maxLength(mostBuckets)),
  ),
  leadTime,
  throughputPerWeek: described(
    'Tasks completed on the days of the range up to and with today, for 7 of these days; `null` for a range that lies ahead.',
    v.nullable(v.pipe(v.number(), v.minValue(0))),
  ),
  forecast: described('`null` where nothing can be said.', v.nullable(forecast)),
  forecastReason: described(
    'Why there is no forecast; `null` where there is one. There is nothing to do, fewer than 7 days of the range are over,' +
      ' fewer than 5 tasks were completed on them, or more than half of the trials take more than 1,100 days.',
    v.nullable(v.picklist(reasons)),
  ),
})
