/** Building a workflow with the mouse. */
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { canvasOf, card, choose, inspector, waitUntilStill } from './editor.ts'

/** Adds a node with a double click on the empty canvas, at fractions of its width and height. */
export async function addAt(page: Page, across: number, down: number, name: string): Promise<void> {
  const box = await canvasOf(page).boundingBox()
  assert.ok(box)
  await page.mouse.dblclick(box.x + box.width * across, box.y + box.height * down)
  await choose(page, name)
}

/** Drags a wire to an empty place, and chooses a node for its end. */
export async function addBehind(page: Page, source: string, operation: string): Promise<void> {
  await dragBehind(page, source)
  await choose(page, operation)
}

/** Drags a wire to an empty place, which opens the search. `handle`: of the source. */
export async function dragBehind(page: Page, source: string, handle?: string): Promise<void> {
  await waitUntilStill(page)
  const from = await centre(imageOf(page, source, handle))
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 20, { steps: 4 })
  await page.mouse.move(from.x + 120, from.y + 40, { steps: 4 })
  await page.mouse.up()
}

/** Drags a wire from the image of a node to a socket. `handle`: of the source. */
export async function connect(
  page: Page,
  source: string,
  target: string,
  socket: string,
  handle?: string,
): Promise<void> {
  await page.getByRole('button', { name: 'Show everything' }).click()
  await waitUntilStill(page)
  const [from, to] = [await centre(imageOf(page, source, handle)), await centre(socketOf(page, target, socket))]
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}

function imageOf(page: Page, id: string, handle = 'image'): Locator {
  return card(page, id).locator(`.react-flow__handle.source[data-handleid="${handle}"]`)
}

function socketOf(page: Page, id: string, socket: string): Locator {
  return card(page, id).locator(`.react-flow__handle.target[data-handleid="${socket}"]`)
}

async function centre(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox()
  assert.ok(box)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Renames the selected node. */
export async function rename(page: Page, id: string): Promise<void> {
  const entry = inspector(page).getByRole('textbox', { name: 'Id of the node' })
  await entry.fill(id)
  await entry.press('Enter')
  await card(page, id).waitFor()
}
