/** The console in Chromium: its loading, and panning and zooming with 200 nodes on the canvas. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath, launchChromium, skipReason } from '../../test/browser/harness/chromium.ts'
import { createAccount } from '../account.ts'
import { call } from '../client.ts'
import { startService } from '../processes.ts'
import { type FirstLoad, measureFirstLoad } from './first-load.ts'
import { manyNodes, nodeCount } from './graph.ts'
import { type Motion, measureMotion } from './motion.ts'
import { plainPage } from './plain.ts'
import { measureReplies, type Replies } from './replies.ts'

export interface ConsoleResults {
  /** Reason why nothing was measured. */
  skipped?: string
  firstLoad?: FirstLoad
  /** Time from navigation to the last card, in milliseconds. */
  openedMs?: number
  motions?: { name: string; ours: Motion; bare: Motion }[]
  replies?: Replies
  /** Load average of a minute, before and after: two shared cores give fewer frames. */
  load?: [number, number]
}

const viewport = { width: 1440, height: 900 }
const rounds = 2

/** `trace`: file for the trace of the console's last round, for the performance panel of Chromium. */
export async function measureConsole(folder: string, trace?: string): Promise<ConsoleResults> {
  if (chromiumPath === undefined) return { skipped: skipReason }
  await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('../../scripts/build-console.ts', import.meta.url)),
  ])
  const before = loadavg()[0] ?? 0
  const dataDir = join(folder, 'console')
  const service = await startService(dataDir, { CONSOLE: 'true' })
  const browser = await launchChromium()
  try {
    const { key, api } = await createAccount(dataDir, service)
    const draft = { url: `${api}/workflows/drafts`, key, json: { document: manyNodes() } }
    const { workflowId } = await call<{ workflowId: string }>(draft)
    const editor = `/workflows/${workflowId}`
    const visit = { browser, baseURL: service.url, key, viewport }
    const firstLoad = await measureFirstLoad(visit, editor)
    const page = await openSignedIn(visit)
    const openedMs = await openEditor(page, editor)
    const bare = await browser.newPage({ viewport })
    await bare.setContent(plainPage(await placesOf(page)))
    const motions = await inTurns(browser, page, bare, trace)
    const replies = await measureReplies(page)
    return { firstLoad, openedMs, motions, replies, load: [before, loadavg()[0] ?? 0] }
  } finally {
    await browser.close()
    await service.stop()
  }
}

export interface Visit {
  browser: Browser
  baseURL: string
  key: string
  viewport: { width: number; height: number }
}

export async function openSignedIn({ browser, baseURL, key, viewport }: Visit): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport })
  const response = await context.request.post('/v1/session', { data: { key } })
  if (response.status() !== 201) throw new Error(`Signing in was answered ${response.status()}.`)
  return context.newPage()
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
): Promise<{ name: string; ours: Motion; bare: Motion }[]> {
  const results = []
  for (const name of ['pan', 'zoom'] as const) {
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
