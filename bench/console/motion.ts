/** Panning, zooming and dragging a card for some seconds, measured with a trace of Chromium. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { percentile } from '../statistics.ts'

export interface Motion {
  /** Frames on the screen while the pointer moved. */
  framesPerSecond: number
  /** Milliseconds between two frames. */
  p95Ms: number
  longestMs: number
  /** The number of frames that missed a refresh of the display (16.7 ms). */
  lateShare: number
  /** CPU time of the page's main thread, in milliseconds per frame. */
  scriptMs: number
  styleAndLayoutMs: number
  /** All of its work, including painting and hit testing. */
  mainMs: number
}

const seconds = 4
/** The event rate of a common mouse. */
const inputMs = 8
const underWayMax = 3
/** One and a half frames at 60 Hz. */
const lateMs = 25
const centre = { x: 560, y: 500 }

export type MotionName = 'pan' | 'zoom' | 'drag'

/** The minimum of categories for frames and the main thread, because tracing costs time too. */
const categories = ['devtools.timeline', 'disabled-by-default-devtools.timeline.frame']

export async function measureMotion(
  browser: Browser,
  page: Page,
  name: MotionName,
): Promise<{ motion: Motion; bytes: Buffer }> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const drive = { pan, zoom, drag }[name]
  await drive(page, session, 0.5)
  await sleep(500)
  await browser.startTracing(page, { categories })
  const before = await spent(session)
  await drive(page, session, seconds)
  const after = await spent(session)
  const bytes = await browser.stopTracing()
  await session.detach()
  const presented = presentedAtMs(bytes)
  const gaps = presented.slice(1).map((at, i) => at - (presented[i] ?? at))
  const perFrame = (key: keyof Spent) => (after[key] - before[key]) / presented.length
  return {
    motion: {
      framesPerSecond: (gaps.length * 1000) / gaps.reduce((sum, gap) => sum + gap, 0),
      p95Ms: percentile(gaps, 95),
      longestMs: Math.max(...gaps),
      lateShare: gaps.filter((gap) => gap > lateMs).length / gaps.length,
      scriptMs: perFrame('scriptMs'),
      styleAndLayoutMs: perFrame('styleMs') + perFrame('layoutMs'),
      mainMs: perFrame('mainMs'),
    },
    bytes,
  }
}

/** Moves in circles with the middle button pressed, like a user who looks over a graph. */
function pan(page: Page, session: CDPSession, lasting: number): Promise<void> {
  return circle(page, session, { from: { x: centre.x + 220, y: centre.y }, radius: 220, button: 'middle', lasting })
}

/** Moves a card in circles. A page without cards follows the pointer as a whole. */
async function drag(page: Page, session: CDPSession, lasting: number): Promise<void> {
  const from = (await page.evaluate(nearestCard)) as { x: number; y: number } | undefined
  await circle(page, session, { from: from ?? centre, radius: 80, button: 'left', lasting })
}

/** The point of a card on the screen, the one nearest to the centre. Runs in the page. */
const nearestCard = `Array.from(document.querySelectorAll('.react-flow__node'), (card) => {
    const { x, y, width, height } = card.getBoundingClientRect()
    return { card, x: x + width / 2, y: y + height * 0.12 }
  })
  .sort((a, b) => Math.hypot(a.x - ${centre.x}, a.y - ${centre.y}) - Math.hypot(b.x - ${centre.x}, b.y - ${centre.y}))
  .filter(({ card, x, y }) => card.contains(document.elementFromPoint(x, y)))
  .map(({ x, y }) => ({ x, y }))[0]`

interface Circle {
  from: { x: number; y: number }
  radius: number
  button: 'left' | 'middle'
  lasting: number
}

async function circle(page: Page, session: CDPSession, { from, radius, button, lasting }: Circle): Promise<void> {
  const buttons = button === 'left' ? 1 : 4
  const at = (angle: number) => ({
    x: from.x + radius * (Math.cos(angle) - 1),
    y: from.y + radius * Math.sin(angle),
  })
  await page.mouse.move(from.x, from.y)
  await page.mouse.down({ button })
  await steadily(lasting, (ms) =>
    session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...at(ms / 400), button, buttons }),
  )
  await page.mouse.move(from.x, from.y)
  await page.mouse.up({ button })
}

/** Zooms in and out again, a second each. */
async function zoom(page: Page, session: CDPSession, lasting: number): Promise<void> {
  await page.mouse.move(centre.x, centre.y)
  await steadily(lasting, (ms) => {
    const deltaY = ms % 2000 < 1000 ? -8 : 8
    return session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...centre, deltaX: 0, deltaY })
  })
}

/** Inputs follow the clock, not the page: a slow page misses some, as browsers coalesce mouse events. */
export async function steadily(lasting: number, send: (ms: number) => Promise<unknown>): Promise<void> {
  const startMs = performance.now()
  const underWay = new Set<Promise<unknown>>()
  for (let ms = 0; ms < lasting * 1000; ms = performance.now() - startMs) {
    if (underWay.size < underWayMax) {
      const sent = send(ms).finally(() => underWay.delete(sent))
      underWay.add(sent)
    }
    await sleep(inputMs)
  }
  await Promise.all(underWay)
}

interface Spent {
  scriptMs: number
  styleMs: number
  layoutMs: number
  mainMs: number
}

async function spent(session: CDPSession): Promise<Spent> {
  const { metrics } = await session.send('Performance.getMetrics')
  const ms = (name: string) => (metrics.find((each) => each.name === name)?.value ?? 0) * 1000
  return {
    scriptMs: ms('ScriptDuration'),
    styleMs: ms('RecalcStyleDuration'),
    layoutMs: ms('LayoutDuration'),
    mainMs: ms('TaskDuration'),
  }
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  ts: number
  id2?: { local?: string }
  args: { frame_reporter?: { state?: string } }
}

/** Times at which complete frames reached the screen: the ends of the compositor's frame events. */
function presentedAtMs(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] }
  const started = new Set<string>()
  const at = new Set<number>()
  const key = ({ pid, id2 }: TraceEvent) => `${pid} ${id2?.local}`
  for (const event of traceEvents.filter(({ name }) => name === 'PipelineReporter').toSorted((a, b) => a.ts - b.ts)) {
    const { state } = event.args.frame_reporter ?? {}
    if (event.ph === 'b') {
      if (state === 'STATE_PRESENTED_ALL') started.add(key(event))
    } else if (started.delete(key(event))) at.add(Math.round(event.ts / 1000))
  }
  return [...at].toSorted((a, b) => a - b)
}
