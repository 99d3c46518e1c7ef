// Progress is shown as a bar on a terminal, and as a line every ten seconds elsewhere.

import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import { createLog } from '../../src/runtime/log.ts'
import { createProgress, showAsBar, showAsLines, showInLog } from '../../src/runtime/progress.ts'

afterEach(() => mock.restoreAll())

/** Replaces the clock and the timer by ones that only advance() moves. */
function manualClock() {
  let now = 5_000
  let next: { at: number; intervalMs: number; tick: () => void } | undefined
  mock.method(performance, 'now', () => now)
  mock.method(globalThis, 'setInterval', (tick: () => void, intervalMs: number) => {
    next = { at: now + intervalMs, intervalMs, tick }
    return { unref() {} }
  })
  mock.method(globalThis, 'clearInterval', () => (next = undefined))
  function advance(ms: number) {
    const end = now + ms
    while (next && next.at <= end) {
      now = next.at
      next.at += next.intervalMs
      next.tick()
    }
    now = end
  }
  return { advance, isTicking: () => next !== undefined }
}

function openBar(columns: number) {
  const written: string[] = []
  const { advance, isTicking } = manualClock()
  const progress = createProgress(showAsBar({ write: (text) => void written.push(text), columns: () => columns }))
  return { written, progress, advance, isTicking }
}

const erase = '\r\x1b[K'

test('without a terminal, a line every ten seconds contains the counts and the remaining time', async () => {
  const lines: string[] = []
  const { advance, isTicking } = manualClock()
  const progress = createProgress(showAsLines((text) => void lines.push(text)))
  const result = await progress('creating tasks', 200_000, async (done) => {
    advance(9_999)
    assert.deepEqual(lines, [])
    advance(1)
    done(20_000)
    advance(10_000)
    done(20_000)
    advance(15_000)
    return 'result'
  })
  assert.equal(result, 'result')
  assert.ok(!isTicking())
  assert.deepEqual(lines, [
    'creating tasks: 0 of 200,000 (0 %)',
    'creating tasks: 20,000 of 200,000 (10 %), 2,000/s, about 1 min 20 s left',
    'creating tasks: 40,000 of 200,000 (20 %), 2,000/s, about 1 min 10 s left',
  ])
})

test('the service logs the same line as JSON', async () => {
  const lines: string[] = []
  const log = createLog('info', (line) => void lines.push(line))
  const { advance } = manualClock()
  await createProgress(showInLog(log))('applying migrations', 10, async (done) => {
    advance(10_000)
    done(4)
    advance(10_000)
  })
  const [first, second, ...more] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const common = { level: 'info', message: 'applying migrations', total: 10 }
  assert.deepEqual(more, [])
  assert.deepEqual({ ...first, time: '' }, { ...common, time: '', done: 0 })
  assert.deepEqual({ ...second, time: '' }, { ...common, time: '', done: 4, remaining_ms: 5_000 })
})

test('on a terminal, a bar appears after a second and is erased at the end', async () => {
  const { written, progress, advance, isTicking } = openBar(80)
  await progress('creating tasks', 4_000, async (done) => {
    advance(999)
    assert.deepEqual(written, [])
    done(1_000)
    advance(1)
    const bar = 'creating tasks [####---------------] 25 %  1,000/4,000  1,001/s  about 3 s left'
    assert.deepEqual(written, [erase + bar])
    advance(250)
    assert.equal(written.length, 1, 'the same bar is not written again')
    advance(750)
    assert.deepEqual(written.slice(1), [erase + bar.replace('3 s', '2 s')])
  })
  assert.equal(written.at(-1), erase)
  assert.ok(!isTicking())
})

test('a step that ends within a second writes nothing to the terminal', async () => {
  const { written, progress, advance } = openBar(80)
  await progress('working', 2, async () => advance(999))
  assert.deepEqual(written, [])
})

test('an error ends the bar and is passed on', async () => {
  const { written, progress, advance, isTicking } = openBar(80)
  const failing = progress('working', 2, async () => {
    advance(1_000)
    throw new Error('broken')
  })
  await assert.rejects(failing, /broken/)
  assert.equal(written.at(-1), erase)
  assert.ok(!isTicking())
})

test('the remaining time counts down while nothing is reported, until it is over', async () => {
  const { written, progress, advance } = openBar(120)
  const remaining = () => / about (.*) left$/.exec(written.at(-1)!)![1]
  await progress('working', 4, async (done) => {
    advance(3_600_000)
    done()
    assert.doesNotMatch(written.at(-1)!, /about/)
    advance(250)
    assert.equal(remaining(), '3 h 0 min')
    advance(3_600_000)
    assert.equal(remaining(), '2 h 0 min')
    advance(7_100_000)
    assert.equal(remaining(), '1 min 40 s')
    advance(1_000_000)
    assert.doesNotMatch(written.at(-1)!, /about/)
  })
})

for (const columns of [200, 80, 60, 50, 30, 12, 3, 1, 0]) {
  test(`the bar fits into ${columns} columns, without colors`, async () => {
    const { written, progress, advance } = openBar(columns)
    await progress('creating tasks', 4_000, async (done) => {
      advance(1_000)
      done(1_234)
      advance(1_000)
      done(2_766)
      advance(1_000)
    })
    for (const text of written) {
      assert.ok(text.startsWith(erase))
      const line = text.slice(erase.length)
      assert.ok(line.length < Math.max(1, columns), line)
      assert.match(line, /^[ -~]*$/)
    }
  })
}

test('without a total, the bar is the count and the rate', async () => {
  const { written, progress, advance } = openBar(80)
  const work = async (done: (units: number) => void) => {
    done(0.25)
    advance(1_000)
    done(12.5)
    advance(250)
  }
  await progress('reading', Infinity, work, 'MB')
  assert.deepEqual(written, [`${erase}reading  0 MB`, `${erase}reading  12 MB  12 MB/s`, erase])
})

test('more units than the total count as the total, and an empty step is not shown', async () => {
  const { written, progress, advance } = openBar(80)
  await progress('nothing', 0, async () => advance(5_000))
  assert.deepEqual(written, [])
  await progress('working', 2, async (done) => {
    done(3)
    advance(1_000)
  })
  assert.match(written[0]!, /\[#+\] 100 %  2\/2 /)
})
