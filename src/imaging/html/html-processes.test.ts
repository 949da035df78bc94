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
const draw = (...args: Parameters<typeof job>) => drawInProcess(job(...args), context())
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

test('documents that a renderer could choke on are drawn or refused', async () => {
  const documents: [string, string][] = [
    [`${'<div>'.repeat(60)}x${'</div>'.repeat(60)}`, 'div { display: grid; padding: 1px }'],
    [`<table>${'<tr><td>1</td><td>2</td></tr>'.repeat(300)}</table>`, ''],
    ['<table><tr><td colspan="100000000">x</td></tr><tr><td rowspan="100000000">y</td></tr></table>', ''],
    ['<p>a</p>', 'p { font-size: 1000000px; letter-spacing: 1e30px }'],
    ['<p>a</p>', 'p { filter: blur(100000px); box-shadow: 0 0 100000px 100000px red; width: 1e9px }'],
    ['<p>a</p>', 'p { transform: scale(1e30) rotate(1e30deg); padding: 1e30px; margin: -1e30px }'],
    [
      '<div><i>a</i></div>',
      'div { display: grid; grid-template-columns: repeat(100000, 1px) } i { grid-column: 30000 / 32000 }',
    ],
    ['<ol start="99999999999999999999"><li>a</li></ol>', 'ol { list-style: upper-roman }'],
    [`<p>a${'\u0301'.repeat(20_000)}\u202e\ud800</p>`, ''],
    [`<p class="${'a '.repeat(20_000)}">x</p>`, '.a { color: red }'],
  ]
  for (const [html, css] of documents) {
    const reply = await draw(html, css)
    assert.ok('data' in reply || 'problems' in reply || 'refused' in reply, `${html.slice(0, 40)} ${css}`)
  }
  const tall = await draw('<p>a</p>', 'p { height: 1000000px }', { height: undefined })
  assert.ok('height' in tall && tall.height > 1_000_000)
})
