/** Delay from an input to the end of the frame with its effect, in the page's main thread. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { waitUntilStill } from '../../test/browser/harness/editor.ts'
import { median, percentile } from '../statistics.ts'

export interface Reply {
  medianMs: number
  p95Ms: number
  count: number
}

export interface Replies {
  /** A letter in the text of a node. */
  typing: Reply
  /** A pointer step that drags a card. */
  dragging: Reply
  /** Selecting all cards with the shortcut. */
  selectingAll: Reply
}

const letters = 40
const steps = 60
const selections = 12
/** The card to drag, and whose text is edited. */
const card = 'title'

export async function measureReplies(page: Page): Promise<Replies> {
  await page.evaluate(listen)
  // The card in the middle of the view, at its size.
  await page.getByRole('button', { name: 'Show everything' }).click()
  await waitUntilStill(page)
  await page.locator(`.react-flow__node[data-id="${card}"]`).dispatchEvent('click')
  await page.evaluate(`document.querySelector('[data-canvas]').focus()`)
  const dragging = await drag(page)
  const field = page.locator('aside [contenteditable=true], aside textarea').first()
  await field.click()
  const typing = await taken(page, 'keydown', async () => {
    for (let letter = 0; letter < letters; letter += 1) {
      await page.keyboard.press('abcdefghij'.charAt(letter % 10))
      await sleep(60)
    }
  })
  await page.evaluate(`document.querySelector('[data-canvas]').focus()`)
  const selectingAll = await taken(page, 'keydown', async () => {
    for (let time = 0; time < selections; time += 1) {
      await page.keyboard.press('Control+a')
      await sleep(250)
      await page.keyboard.press('Escape')
      await sleep(250)
    }
  })
  return { typing, dragging, selectingAll }
}

async function drag(page: Page): Promise<Reply> {
  const box = await page.locator('.react-flow__node.selected').first().boundingBox()
  if (box === null) throw new Error('No card can be dragged.')
  const start = { x: box.x + box.width / 2, y: box.y + box.height * 0.12 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  const reply = await taken(page, 'pointermove', async () => {
    for (let step = 1; step <= steps; step += 1) {
      await page.mouse.move(start.x + 60 * Math.sin(step / 8), start.y + 2 * step)
      await sleep(30)
    }
  })
  await page.mouse.up()
  return reply
}

async function taken(page: Page, type: string, work: () => Promise<void>): Promise<Reply> {
  await page.evaluate(`window.replies = { type: '${type}', taken: [] }`)
  await work()
  const all = (await page.evaluate('window.replies.taken')) as number[]
  return replyOf(all)
}

export function replyOf(all: number[]): Reply {
  return { medianMs: median(all), p95Ms: percentile(all, 95), count: all.length }
}

/**
 * Runs in the page: after an input, the task after the next animation frame runs when layout and paint of that frame are
 * done.
 */
const listen = `
  window.replies = { type: '', taken: [] }
  for (const type of ['keydown', 'pointermove'])
    addEventListener(type, (event) => {
      if (window.replies.type !== type || ['Control', 'Escape'].includes(event.key)) return
      const { taken } = window.replies
      const behind = new MessageChannel()
      behind.port1.onmessage = () => {
        taken.push(performance.now() - event.timeStamp)
        behind.port1.close()
      }
      requestAnimationFrame(() => behind.port2.postMessage(0))
    }, { capture: true, passive: true })`
