/** The console in Chromium: its loading, and panning, zooming and dragging with 200 nodes on the canvas. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { call } from '../client.ts'
import { type FirstLoad, measureFirstLoad } from './first-load.ts'
import { manyNodes, nodeCount } from './graph.ts'
import { type Motion, type MotionName, measureMotion } from './motion.ts'
import { plainPage } from './plain.ts'
import { measureReplies, type Replies } from './replies.ts'
import { type Measured, openSignedIn, visiting } from './visit.ts'

export interface ConsoleResults extends Measured {
  firstLoad?: FirstLoad
  /** Time from navigation to the last card, in milliseconds. */
  openedMs?: number
  motions?: { name: MotionName; ours: Motion; bare: Motion }[]
  replies?: Replies
}

const viewport = { width: 1440, height: 900 }
const rounds = 2

/** `trace`: file for the trace of the console's last round, for the performance panel of Chromium. */
export function measureConsole(folder: string, trace?: string): Promise<ConsoleResults> {
  return visiting(join(folder, 'console'), viewport, async (visit) => {
    const { browser, account } = visit
    const { key, api } = account
    const draft = { url: `${api}/workflows/drafts`, key, json: { document: manyNodes() } }
    const { workflowId } = await call<{ workflowId: string }>(draft)
    const editor = `/workflows/${workflowId}`
    const firstLoad = await measureFirstLoad(visit, editor)
    const page = await openSignedIn(visit)
    const openedMs = await openEditor(page, editor)
    const bare = await browser.newPage({ viewport })
    await bare.setContent(plainPage(await placesOf(page)))
    const motions = await inTurns(browser, page, bare, trace)
    const replies = await measureReplies(page)
    return { firstLoad, openedMs, motions, replies }
  })
}

async function openEditor(page: Page, address: string): Promise<number> {
  const startMs = performance.now()
  await page.goto(address)
  await page.locator('.react-flow__node').nth(nodeCount).waitFor({ state: 'attached' })
  const openedMs = performance.now() - startMs
  // Requests about the document and their rendering are not part of the next measurement.
  await page.waitForLoadState('networkidle')
  return openedMs
}

/** Positions of the cards on the screen at zoom 1, which the bare page also draws. */
function placesOf(page: Page): Promise<number[][]> {
  return page.evaluate(
    `Array.from(document.querySelectorAll('.react-flow__node'), (card) => {
      const { e, f } = new DOMMatrix(getComputedStyle(card).transform)
      return [e, f, card.offsetWidth, card.offsetHeight]
    })`,
  )
}

/** The console and the bare page run in turns, so that a machine that gets slower affects both. */
async function inTurns(
  browser: Browser,
  ours: Page,
  bare: Page,
  trace: string | undefined,
): Promise<{ name: MotionName; ours: Motion; bare: Motion }[]> {
  const results = []
  for (const name of ['pan', 'zoom', 'drag'] as const) {
    const motions: { ours: Motion[]; bare: Motion[] } = { ours: [], bare: [] }
    for (let round = 0; round < rounds; round += 1) {
      await bare.bringToFront()
      motions.bare.push((await measureMotion(browser, bare, name)).motion)
      await ours.bringToFront()
      const { motion, bytes } = await measureMotion(browser, ours, name)
      motions.ours.push(motion)
      if (trace !== undefined && round === rounds - 1)
        await writeFile(trace.replace(/(\.json)?$/, `-${name}.json`), bytes)
    }
    results.push({ name, ours: best(motions.ours), bare: best(motions.bare) })
  }
  return results
}

/** The round with the least interference by other work. */
function best(motions: Motion[]): Motion {
  const [first] = motions.toSorted((a, b) => b.framesPerSecond - a.framesPerSecond)
  if (first === undefined) throw new Error('Nothing was measured.')
  return first
}
