/** The stage: the picture of a node with handles, by pointer and by keyboard. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Client } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { canvasOf, card, type DraftDocument, draftWith, newDraft, select, waitUntilStill } from './harness/editor.ts'

/** A text on a sheet and a crop of it. */
const poster: DraftDocument = {
  name: 'Poster',
  nodes: {
    sheet: { type: 'canvas', params: { width: 600, height: 400, color: '#22577a' } },
    title: { type: 'text', inputs: { image: 'sheet' }, params: { text: 'Stage', size: 40, color: 'white' } },
    part: { type: 'crop', inputs: { image: 'title' }, params: { x: 100, y: 80, width: 300, height: 200 } },
  },
  output: { node: 'part', format: 'png' },
}

consoleTests('the stage', (of) => {
  test('a text without a box is moved and resized on its picture, and each drag is one step of the history', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'title')
      const frame = frameOf(page, 'box')
      await frame.waitFor()
      await drag(page, grip(frame, 'se'), [-200, -300], ['Control'])
      const box = await paramsWith(api, workflowId, 'title', 'a box', ({ box }) => box !== undefined)
      assert.deepEqual(box.box, { x: 0, y: 0, width: 400, height: 100 })
      await waitForIdle(page)
      await drag(page, grip(frame, 'move'), [64, 200], ['Control'])
      const moved = await paramsWith(api, workflowId, 'title', 'a moved box', ({ box }) => (box as { x: number }).x > 0)
      assert.deepEqual(moved.box, { x: 64, y: 200, width: 400, height: 100 })
      await page.screenshot({ path: '/tmp/stage/text.png' })
      assert.deepEqual(await seriousViolations(page), [])
      await page.keyboard.press('Control+z')
      await paramsWith(api, workflowId, 'title', 'the first box', ({ box }) => (box as { x: number }).x === 0)
      await page.keyboard.press('Control+z')
      await paramsWith(api, workflowId, 'title', 'no box', ({ box }) => box === undefined)
    })
  })

  test('a crop frame moves on the input image and stays in it', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'part')
      const frame = frameOf(page, 'crop')
      await frame.waitFor()
      await page.screenshot({ path: '/tmp/stage/crop.png' })
      await drag(page, grip(frame, 'move'), [400, 40], ['Control'])
      const moved = await paramsWith(api, workflowId, 'part', 'a moved crop', ({ x }) => x !== 100)
      assert.deepEqual(moved, { x: 300, y: 120, width: 300, height: 200 })
    })
  })
})

/** Opens the stage with a double click on the picture of the card. */
async function openStage(page: Page, id: string): Promise<void> {
  await select(page, id)
  await waitUntilStill(page)
  await page.keyboard.press('Enter')
  await page.locator('[data-stage]').waitFor()
}

function frameOf(page: Page, id: string): Locator {
  return page.locator(`[data-frame="${id}"]`)
}

function grip(frame: Locator, name: string): Locator {
  return frame.locator(`[data-grip="${name}"]`)
}

/** Drags by pixels of the image. */
async function drag(page: Page, handle: Locator, [x, y]: [number, number], keys: string[] = []): Promise<void> {
  await handle.waitFor({ state: 'attached' })
  const box = await handle.boundingBox()
  assert.ok(box)
  const scale = await zoom(page)
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (const key of keys) await page.keyboard.down(key)
  await page.mouse.move(from.x + (x * scale) / 2, from.y + (y * scale) / 2)
  await page.mouse.move(from.x + x * scale, from.y + y * scale)
  await page.mouse.up()
  for (const key of keys) await page.keyboard.up(key)
}

/** Pixels of the window for one of the image. */
function zoom(page: Page): Promise<number> {
  return page
    .locator('[data-stage] img[alt^="Result of"]')
    .evaluate((image) => new DOMMatrix(getComputedStyle(image as never).transform).a)
}

/** Waits until no run goes on. */
async function waitForIdle(page: Page): Promise<void> {
  await page.getByLabel('The picture is being made').waitFor({ state: 'detached' })
}

async function paramsWith(
  api: Client,
  workflowId: string,
  node: string,
  expectation: string,
  is: (params: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  const document = await draftWith(api, workflowId, expectation, ({ nodes }) => is(nodes[node]?.params ?? {}))
  return document.nodes[node]?.params ?? {}
}

void [canvasOf, card, until]
