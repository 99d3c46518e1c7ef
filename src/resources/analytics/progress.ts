// Defines the response schema of progress.

import * as v from 'valibot'
import { count, day, described, named, positive } from '../../api/schema/response-schemas.ts'
import { noForecastReasons } from './forecast.ts'
import { maxBuckets, rangeFields, steps } from './range.ts'

// Sums are negative for a while if a task is completed or cancelled at a time before its creation.
const difference = v.pipe(v.number(), v.integer())

const interval = named('ProgressInterval', 'What happened in a day, week or month, and what there was at its end.', {
  start: day,
  end: described(day, 'Not included.'),
  created: count,
  completed: described(count, 'As the tasks are stored now: one that was opened again is not completed.'),
  cancelled: described(count, 'As the tasks are stored now.'),
  reopened: described(count, 'How often a completed or cancelled task became open, by the history.'),
  scope: described(difference, 'Tasks created by then less those cancelled by then.'),
  done: described(count, 'Tasks completed by then.'),
  remaining: described(difference, '`scope` less `done`.'),
})

const seconds = v.nullable(count)

const leadTime = named('LeadTime', 'From creation to completion, of the tasks completed in the range.', {
  count,
  p50Seconds: described(seconds, 'Half of them took so much or less, within 2 %; `null` without any.'),
  p85Seconds: described(seconds, '85 % of them took so much or less, within 2 %.'),
  p95Seconds: described(seconds, '95 % of them took so much or less, within 2 %.'),
  meanSeconds: described(seconds, 'Exact, in whole seconds.'),
})

const later = described(v.nullable(day), '`null` where it lies more than 1,100 days ahead.')

const forecast = named('Forecast', 'When the open tasks will be done.', {
  remaining: described(positive, 'The tasks that are open now.'),
  p50Date: described(day, 'Half of the trials are done by then.'),
  p85Date: later,
  p95Date: later,
})

export const progress = named('Progress', 'How the work of a project went over a range of days.', {
  ...rangeFields,
  interval: v.picklist(steps),
  series: described(
    v.pipe(v.array(interval), v.minLength(1), v.maxLength(maxBuckets)),
    'Every interval of the range; the first and the last one are cut to it.',
  ),
  leadTime,
  throughputPerWeek: described(
    v.nullable(v.pipe(v.number(), v.minValue(0))),
    'Tasks completed on the days of the range up to and with today, for 7 of these days; `null` for a range that lies ahead.',
  ),
  forecast: described(v.nullable(forecast), '`null` where nothing can be said.'),
  forecastReason: described(
    v.nullable(v.picklist(noForecastReasons)),
    'Why there is no forecast; `null` where there is one. There is nothing to do, fewer than 7 days of the range are over,' +
      ' fewer than 5 tasks were completed on them, or more than half of the trials take more than 1,100 days.',
  ),
})
