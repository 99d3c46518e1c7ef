// Defines the response schema of the progress report.

import * as v from 'valibot'
import { count, day, described, extensible, named } from '../../api/responses/response-schemas.ts'
import { amount, measure } from './figures.ts'
import { noForecastReasons } from './forecast.ts'
import { maxBuckets, rangeFields, steps } from './range.ts'

const interval = named('ProgressInterval', 'The events of a day, week or month, and the totals at its end.', {
  start: day,
  end: described(day, 'The day after the last day of the interval.'),
  created: amount,
  completed: described(amount, 'Tasks completed in the interval, by their current state: reopened tasks do not count.'),
  cancelled: described(amount, 'Tasks cancelled in the interval, by their current state.'),
  reopened: described(count, 'How many times a completed or cancelled task was reopened, according to the history.'),
  scope: described(
    amount,
    'Tasks created by the end of the interval, minus those cancelled by then. Negative if a task was cancelled before the time of its creation.',
  ),
  done: described(amount, 'Tasks completed by the end of the interval.'),
  remaining: described(amount, '`scope` minus `done`.'),
})

const seconds = v.nullable(count)

const leadTime = named('LeadTime', 'The time from creation to completion of the tasks completed in the range.', {
  count,
  p50Seconds: described(seconds, 'Half of the tasks took this long or less, within 2%; `null` if there are none.'),
  p85Seconds: described(seconds, '85% of the tasks took this long or less, within 2%.'),
  p95Seconds: described(seconds, '95% of the tasks took this long or less, within 2%.'),
  meanSeconds: described(seconds, 'The exact mean, rounded to whole seconds.'),
})

const dateOrNull = (percent: number) =>
  described(
    v.nullable(day),
    `In ${percent}% of the trials, all tasks are done by this date; \`null\` if it is more than 1,100 days ahead.`,
  )

const forecast = named(
  'Forecast',
  'The dates by which all open tasks are forecast to be done, from 1,000 simulated trials.',
  {
    remaining: described(
      amount,
      'The number of tasks that are open now or, with `measure`, the sum of that field over them.',
    ),
    p50Date: described(day, 'In 50% of the trials, all tasks are done by this date.'),
    p85Date: dateOrNull(85),
    p95Date: dateOrNull(95),
  },
)

export const progress = named('Progress', 'The progress of a project over a range of days.', {
  ...rangeFields,
  timezone: described(v.string(), 'The time zone of the days, as given in the request.'),
  interval: v.picklist(steps),
  measure,
  series: described(
    v.pipe(v.array(interval), v.minLength(1), v.maxLength(maxBuckets)),
    'Every interval of the range. The first and the last are cut to the range.',
  ),
  leadTime,
  throughputPerWeek: described(
    v.nullable(v.number()),
    'Average number of tasks, or sum of `measure`, completed per 7 days, on the days of the range through today; `null` for a future range.',
  ),
  forecast: described(v.nullable(forecast), '`null` if no forecast is possible.'),
  forecastReason: described(
    v.nullable(extensible(v.picklist(noForecastReasons))),
    'The reason why there is no forecast; `null` if there is one. `nothing_remaining`: no task is open, or the' +
      ' sum of `measure` over the open ones is not above 0.' +
      ' `archived`: the project is archived. `too_few_days`: fewer than 14 days of the range have passed since the first' +
      ' task. `too_few_completions`: fewer than 5 tasks were completed on those days. `mostly_one_day`: more than half' +
      ' of them were completed on one day. `too_far`: more than half of the trials take longer than 1,100 days. New' +
      ' reasons may be added.',
  ),
})
