// The limits that trackers announce: how long to wait, and how fast rounds may follow each other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRequestLimit } from '../../src/sources/http/request-limit.ts'
import { connectTo, response, startTracker } from './raw-tracker.ts'

/** The clock of the tracker, which has nothing to do with ours. */
const trackerDate = 'Sat, 28 Nov 2026 12:00:00 GMT'
const trackerNow = Date.parse(trackerDate) / 1_000
const github = (remaining: number, reset: number, limit = 100) => ({
  'x-ratelimit-limit': `${limit}`,
  'x-ratelimit-remaining': `${remaining}`,
  'x-ratelimit-reset': `${reset}`,
})
const gitlab = (remaining: number, reset: number, limit = '100') => ({
  'ratelimit-limit': limit,
  'ratelimit-remaining': `${remaining}`,
  'ratelimit-reset': `${reset}`,
})
// prettier-ignore
const answers: [name: string, status: number, headers: Record<string, string>, waitMs: number][] = [
  ['Retry-After in seconds',                   429, { 'retry-after': '7' },                                       7_000],
  ['Retry-After as a date',                    429, { 'retry-after': 'Sat, 28 Nov 2026 12:00:09 GMT' },           9_000],
  ['Retry-After as a date without a Date',     429, { date: '', 'retry-after': 'Sat, 28 Nov 2026 12:00:09 GMT' }, 60_000],
  ['Retry-After that is neither',              429, { 'retry-after': 'soon' },                                    60_000],
  ['Retry-After: 0',                           429, { 'retry-after': '0' },                                       1_000],
  ['Retry-After: a year',                      429, { 'retry-after': '31536000' },                                3_600_000],
  ['429 without headers',                      429, {},                                                           60_000],
  ['403 with Retry-After',                     403, { 'retry-after': '30' },                                      30_000],
  ['403 and nothing remains',                  403, github(0, trackerNow + 120),                                       120_000],
  ['429 and nothing remains',                  429, github(0, trackerNow + 120),                                       120_000],
  ['429 of GitLab',                            429, gitlab(0, trackerNow + 40),                                        40_000],
  ['429 of the draft, in seconds from now',    429, gitlab(0, 40, '100, 100;w=60'),                               40_000],
  ['a reset in the past',                      429, github(0, trackerNow - 50),                                        1_000],
  ['a reset without a Date',                   429, { date: '', ...github(0, trackerNow + 40) },                       60_000],
  ['503 with Retry-After',                     503, { 'retry-after': '5' },                                       5_000],
]
for (const [name, status, headers, waitMs] of answers) {
  test(`${name}: the request fails, and the next ones are not sent for ${waitMs} ms`, async () => {
    let now = 5
    const tracker = await startTracker((socket) =>
      socket.write(tracker.heads.length === 1 ? response(status, { date: trackerDate, ...headers }) : response(204)),
    )
    const http = connectTo(tracker, { now: () => now })
    const refusal = { name: 'TrackerError', message: `the tracker answers with ${status}`, status, retryMs: waitMs }
    await assert.rejects(http.get('/'), refusal)
    now += waitMs - 1
    await assert.rejects(http.get('/'), { message: "waiting for the tracker's request limit", status: 0, retryMs: 1 })
    assert.equal(tracker.heads.length, 1)
    now += 1
    assert.equal((await http.get('/')).status, 204)
  })
}

// prettier-ignore
const permitted: [name: string, status: number, headers: Record<string, string>, waitMs: number][] = [
  ['403 about permissions',              403, {},                                0],
  ['403 while requests remain',          403, github(80, trackerNow + 60),            0],
  ['503 without Retry-After',            503, {},                                0],
  ['half and one remain',                200, github(51, trackerNow + 60),            0],
  ['the half of the others remains',     200, github(50, trackerNow + 60),            60_000],
  ['less remains',                       304, gitlab(3, trackerNow + 20),             20_000],
  ['the others\' half, without a Date',  200, { date: '', ...github(50, trackerNow + 90) }, 60_000],
  ['headers that are not numbers',       200, { ...github(0, trackerNow), 'x-ratelimit-remaining': 'x' }, 0],
]
for (const [name, status, headers, waitMs] of permitted) {
  test(`${name}: the answer is no refusal; then wait ${waitMs} ms`, () => {
    const limit = createRequestLimit(0.5, () => 5)
    assert.equal(limit.observe(answerWith(status, headers)), undefined)
    assert.equal(limit.waitMs(), waitMs)
  })
}

test('a reset is compared with the Date of its answer, whatever the year', () => {
  const limit = createRequestLimit(0.5, () => 5)
  const skewed = { date: 'Sun, 09 Sep 2001 02:00:00 GMT', ...github(0, Date.UTC(2001, 8, 9, 2, 0, 30) / 1_000) }
  assert.equal(limit.observe(answerWith(429, skewed)), 30_000)
})

test('a share of 1 waits only when nothing remains', () => {
  const limit = createRequestLimit(1, () => 5)
  limit.observe(answerWith(200, github(1, trackerNow + 60)))
  assert.equal(limit.waitMs(), 0)
  limit.observe(answerWith(200, github(0, trackerNow + 60)))
  assert.equal(limit.waitMs(), 60_000)
})

test('a shorter wait does not shorten a longer one', () => {
  const limit = createRequestLimit(0.5, () => 5)
  limit.observe(answerWith(429, { 'retry-after': '50' }))
  limit.observe(answerWith(429, { 'retry-after': '5' }))
  assert.equal(limit.waitMs(), 50_000)
})

test('the pace spreads our part over the rest of the window', () => {
  let now = 5
  const limit = createRequestLimit(0.5, () => now)
  assert.equal(limit.pace(8), 0)
  // GitHub: 5,000 an hour. Half is 2,500: 8 requests every 11.52 s.
  limit.observe(answerWith(200, github(5_000, trackerNow + 3_600, 5_000)))
  assert.equal(limit.pace(8), 11_520)
  // Others have used a half of our part as well.
  limit.observe(answerWith(200, github(3_750, trackerNow + 3_600, 5_000)))
  assert.equal(limit.pace(8), 23_040)
  // More than our part: the next window.
  assert.equal(limit.pace(2_000), 3_600_000)
  now += 3_600_000
  assert.equal(limit.pace(8), 0)
})

test('nothing is left of our part: the pace is the rest of the window', () => {
  const limit = createRequestLimit(0.5, () => 5)
  limit.observe(answerWith(200, github(10, trackerNow + 60)))
  assert.equal(limit.pace(1), 60_000)
})

function answerWith(status: number, { date = trackerDate, ...headers }: Record<string, string>) {
  return { status, headers: new Map(Object.entries(headers)), date: date === '' ? undefined : new Date(date) }
}
