import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../../limits.ts'
import { Processes } from '../../processes/processes.ts'
import { isFault } from '../raster/test-faults.ts'
import { drawInProcess } from './html-processes.ts'
import type { HtmlJob } from './messages.ts'

const processes = new Processes()

const job = (html: string, css = '', more: Partial<HtmlJob> = {}): HtmlJob => ({
  ...{ html, css, width: 60, height: 40, scale: 1, background: undefined, pixelsMax: 1e8, sidePixelsMax: 16_384 },
  ...{ images: [], fonts: [] },
  ...more,
})
const context = (signal = new AbortController().signal) => ({ signal, secondsLeft: () => 60, processes })
const red = job('<div></div>', 'div { width: 60px; height: 40px; background: red }')

/** Takes minutes: each filter is as large as the page. */
const slow = job('<p>a</p>'.repeat(2_000), 'p { position: absolute; inset: 0; backdrop-filter: blur(100px) }', {
  width: 4_000,
  height: 4_000,
})

async function assertDraws(): Promise<void> {
  const reply = await drawInProcess(red, context())
  assert.ok('data' in reply && reply.data)
  assert.deepEqual([...reply.data.subarray(0, 4)], [255, 0, 0, 255])
}

test('one process draws one document after the other', async () => {
  await assertDraws()
  const [first] = processes.ids()
  await assertDraws()
  assert.deepEqual(processes.ids(), [first])
})

test('a document that takes too long is stopped, and the next one is drawn', async (t) => {
  t.mock.property<{ htmlSeconds: number }, 'htmlSeconds'>(limits, 'htmlSeconds', 0.5)
  await assert.rejects(
    drawInProcess(slow, context()),
    isFault('limit_exceeded', /took longer than 0\.5 s of CPU time, the maximum\. Simplify/),
  )
  await assertDraws()
})

test('an aborted document stops its process immediately', async () => {
  const aborted = new AbortController()
  const drawing = drawInProcess(slow, context(aborted.signal))
  setImmediate(() => aborted.abort())
  await assert.rejects(drawing, isFault('cancelled', /ended before/))
  await assertDraws()
})

test('a document is drawn again in a new process if the process ends', async () => {
  await assertDraws()
  const [pid = 0] = processes.ids()
  process.kill(pid, 'SIGKILL')
  // Its end isn't known here yet.
  await assertDraws()
  assert.notDeepEqual(processes.ids(), [pid])
})
