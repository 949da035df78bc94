/** The mask brush on the stage: painting, erasing, and the image node that gets the mask. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { type Client, ok } from '../harness/client.ts'
import { pixelAt } from '../harness/pictures.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { card, type DraftDocument, draftWith, newDraft, select, storedDraft, waitUntilStill } from './harness/editor.ts'

type Point = readonly [x: number, y: number]

/** The sheet is smaller than the stage, so one pixel is one of the window. Its ratio is one that the fake of OpenAI accepts. */
const sheet = { type: 'gradient', params: { width: 480, height: 320, from: '#22577a', to: '#57cc99' } }

const retouched: DraftDocument = {
  name: 'Retouched',
  nodes: {
    sheet,
    paint: {
      type: 'inpaint',
      inputs: { image: 'sheet' },
      params: { prompt: 'A boat', model: 'openai/gpt-image-1-mini' },
    },
  },
  output: { node: 'paint', format: 'png' },
}

const covered: DraftDocument = {
  name: 'Covered',
  nodes: {
    sheet,
    gold: { type: 'canvas', params: { width: 480, height: 320, color: '#ffd700' } },
    placed: { type: 'composite', inputs: { image: 'sheet', overlay: 'gold' } },
  },
  output: { node: 'placed', format: 'png' },
}

consoleTests('the mask brush', (of) => {
  test('strokes, eraser, invert, undo and feather become one image node, whose image is replaced', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, retouched)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openMask(page, 'paint')
      const mask = masksOf(api, workflowId, 'paint')
      await stroke(page, [100, 100], [300, 100])
      const painted = await mask()
      assert.deepEqual(await levels(painted.bytes, [200, 100], [110, 105], [200, 150]), [255, 255, 0])
      const { width, height, isGrey } = await factsOf(painted.bytes)
      assert.deepEqual({ width, height, isGrey }, { width: 480, height: 320, isGrey: true })
      assert.equal(painted.node, 'mask-of-paint')
      await page.locator('[aria-live]', { hasText: /^Painted\. \d+ % of the image is white\.$/ }).waitFor({
        state: 'attached',
      })

      await page.keyboard.press('x')
      await stroke(page, [200, 60], [200, 140])
      const erased = await mask()
      assert.deepEqual(await levels(erased.bytes, [200, 100], [120, 100], [280, 100]), [0, 255, 255])
      // The first mask is replaced and deleted, not piled up.
      await until(
        'its deletion',
        async () => (await api.get(`/storage/images/${painted.id}`)).status === 404 || undefined,
      )

      await page.keyboard.press('i')
      const inverted = await mask()
      assert.deepEqual(await levels(inverted.bytes, [200, 100], [120, 100], [400, 300]), [255, 0, 255])
      await page.keyboard.press('Control+z')
      const uninverted = await mask()
      assert.deepEqual(await levels(uninverted.bytes, [200, 100], [120, 100], [400, 300]), [0, 255, 0])
      await page.keyboard.press('Control+z')
      assert.deepEqual(await levels((await mask()).bytes, [200, 100], [120, 100]), [255, 255])
      await page.keyboard.press('Control+Shift+Z')
      assert.deepEqual(await levels((await mask()).bytes, [200, 100], [120, 100]), [0, 255])

      // A soft edge: white in the middle, grey at the edge of the brush, black outside of the feather.
      await page.keyboard.press('x')
      const feather = page.getByRole('slider', { name: 'Feather, pixels of the image' })
      await feather.focus()
      for (let presses = 0; presses < 16; presses++) await page.keyboard.press('ArrowRight')
      await page.keyboard.press(']')
      await page.getByText('30 px', { exact: true }).waitFor()
      await stroke(page, [400, 240])
      const soft = await mask()
      const [middle = 0, edge = 0, outside = 0] = await levels(soft.bytes, [400, 240], [415, 240], [436, 240])
      assert.ok(middle > 200 && edge > 80 && edge < 175 && outside < 4, `${middle} ${edge} ${outside}`)
      await photograph(page, 'painted')

      await page.keyboard.press('Escape')
      await page.locator('[data-mask]').waitFor({ state: 'detached' })
      const { nodes } = await storedDraft(api, workflowId)
      assert.deepEqual(Object.keys(nodes), ['sheet', 'paint', 'mask-of-paint'])
      // All of it is one step of the history.
      await page.keyboard.press('Control+z')
      await draftWith(api, workflowId, 'no mask', (now) => Object.keys(now.nodes).length === 2)
      await page.keyboard.press('Control+Shift+Z')
      await draftWith(api, workflowId, 'the mask', (now) => now.nodes.paint?.inputs?.mask === 'mask-of-paint')
    })
  })

  test('a mask that exists is continued, and Escape cancels a stroke', async () => {
    const { api, visit } = of()
    // Of another size: a mask that is painted has the size of its image.
    const start = await sharp({ create: { width: 250, height: 160, channels: 3, background: 'black' } })
      .composite([{ input: { create: { width: 50, height: 160, channels: 3, background: 'white' } }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const { id } = await upload(api, start, 'start.png')
    const workflowId = await newDraft(api, {
      ...retouched,
      nodes: {
        ...retouched.nodes,
        area: { type: 'image', params: { source: id } },
        paint: { ...retouched.nodes.paint, inputs: { image: 'sheet', mask: 'area' } },
      },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openMask(page, 'paint')
      await press(page, [300, 50])
      await move(page, [300, 250])
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await stroke(page, [400, 200])
      const mask = masksOf(api, workflowId, 'paint', id)
      const { bytes, node } = await mask()
      assert.equal(node, 'area')
      assert.deepEqual(await levels(bytes, [50, 160], [150, 160], [300, 150], [400, 200]), [255, 0, 0, 255])
      // Undo can still need the mask of the start.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+z')
      await draftWith(api, workflowId, 'the start', (now) => now.nodes.area?.params?.source === id)
      ok(await api.get(`/storage/images/${id}`))
    })
  })

  test('a run repaints the painted area, and nothing else', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, retouched)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openMask(page, 'paint')
      await stroke(page, [100, 160], [240, 160])
      await masksOf(api, workflowId, 'paint')()
      await page.getByRole('toolbar', { name: 'Mask' }).getByRole('button', { name: 'Done' }).click()
      const update = page.getByRole('button', { name: /^Update the picture · .*\$/ })
      await update.first().click()
      await page.locator('[data-stage][data-settled]').waitFor()
      const source = await resultOf(page)
      const original = await fetchPreview(api, workflowId, 'sheet')
      assert.deepEqual(await pixelAt(source, 400, 60), await pixelAt(original, 400, 60))
      assert.notDeepEqual(await pixelAt(source, 170, 160), await pixelAt(original, 170, 160))
      await photograph(page, 'inpainted')
    })
  })

  test('a composite shows the overlay where the mask is painted, without a run', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, covered)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openMask(page, 'placed')
      await stroke(page, [60, 160], [440, 160])
      await masksOf(api, workflowId, 'placed')()
      await page.keyboard.press('Escape')
      await page.locator('[data-mask]').waitFor({ state: 'detached' })
      await until('gold below the stroke', async () => {
        const drawn = await resultOf(page)
        const gold = [255, 215, 0, 255]
        const isGold = async (at: Point) => (await pixelAt(drawn, ...at)).join() === gold.join()
        return ((await isGold([250, 160])) && !(await isGold([250, 60]))) || undefined
      })
      await photograph(page, 'composite')
      const { executions } = ok(await api.get<{ executions: unknown[] }>('/workflows/executions', { workflowId }))
      assert.deepEqual(executions, [])
    })
  })

  test('no serious violation of accessibility in both schemes, and the cursor has the size of the brush', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, covered)
    for (const colorScheme of ['light', 'dark'] as const)
      await visit(
        `/workflows/${workflowId}`,
        async ({ page }) => {
          await openMask(page, 'placed')
          await stroke(page, [60, 60], [440, 260])
          const cursor = page.locator('[data-brush-cursor]')
          assert.equal((await cursor.boundingBox())?.width, 27)
          await page.keyboard.press(']')
          await until('a larger cursor', async () => (await cursor.boundingBox())?.width === 30 || undefined)
          await photograph(page, `axe-${colorScheme}`)
          assert.deepEqual(await seriousViolations(page), [])
        },
        { colorScheme },
      )
  })

  test('a finger paints on a phone', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, covered)
    await visit(
      `/workflows/${workflowId}`,
      async ({ page, context }) => {
        await card(page, 'placed').waitFor()
        await waitUntilStill(page)
        await card(page, 'placed').locator('[data-picture]').dblclick()
        await page.getByRole('button', { name: 'Paint the mask' }).click()
        await page.locator('[data-mask=ready]').waitFor()
        const bounds = await canvasBox(page)
        await page.touchscreen.tap(bounds.x + bounds.width / 2, bounds.y + bounds.height / 4)
        const { bytes } = await masksOf(api, workflowId, 'placed')()
        assert.deepEqual(await levels(bytes, [250, 80], [250, 300]), [255, 0])
        await photograph(page, 'phone')
        const done = await page.getByRole('button', { name: 'Done' }).boundingBox()
        assert.ok(done && done.height >= 44 && done.width >= 44)
        // Two fingers zoom, and paint nothing.
        const devtools = await context.newCDPSession(page)
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...distances: number[]) => {
          const [x, y] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2]
          const touchPoints = distances.map((distance, id) => ({ x: x + distance, y, id }))
          return devtools.send('Input.dispatchTouchEvent', { type, touchPoints })
        }
        await touch('touchStart', -40)
        await touch('touchMove', -50)
        await touch('touchStart', -50, 50)
        await touch('touchMove', -100, 100)
        await touch('touchEnd')
        await until('twice the size', async () => {
          const { width } = await canvasBox(page)
          return Math.abs(width / bounds.width - 2) < 0.05 || undefined
        })
        assert.equal(await page.locator('[data-mask-saving]').count(), 0)
      },
      { width: 390, height: 844, context: { hasTouch: true, isMobile: true } },
    )
  })
})

/** Opens the stage and its brush with the keyboard. */
async function openMask(page: Page, id: string): Promise<void> {
  await card(page, id).waitFor()
  await select(page, id)
  await waitUntilStill(page)
  await page.keyboard.press('Enter')
  await page.locator('[data-stage]').waitFor()
  await page.keyboard.press('b')
  await page.locator('[data-mask=ready]').waitFor()
}

interface Mask {
  id: string
  node: string
  bytes: Buffer
}

/** Waits for the next mask that the stored draft names. */
function masksOf(api: Client, workflowId: string, id: string, before?: string): () => Promise<Mask> {
  let last = before
  return async () => {
    const sourceOf = ({ nodes }: DraftDocument) => nodes[String(nodes[id]?.inputs?.mask)]?.params?.source
    const document = await draftWith(api, workflowId, 'another mask', (now) => (sourceOf(now) ?? last) !== last)
    last = String(sourceOf(document))
    const { url } = ok(await api.get<{ url: string }>(`/storage/images/${last}`))
    return { id: last, node: String(document.nodes[id]?.inputs?.mask), bytes: await fetchImage(api, url) }
  }
}

/** The brightness of the mask at these pixels. */
async function levels(bytes: Buffer, ...points: Point[]): Promise<number[]> {
  const pixels = await Promise.all(points.map(([x, y]) => pixelAt(bytes, x, y)))
  return pixels.map(([level = -1]) => level)
}

async function factsOf(bytes: Buffer): Promise<{ width: number; height: number; isGrey: boolean }> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const isGrey = data.every((value, at) => (at % 4 === 3 ? value === 255 : value === data[at - (at % 4)]))
  return { width: info.width, height: info.height, isGrey }
}

async function canvasBox(page: Page): Promise<{ x: number; y: number; width: number; height: number }> {
  const bounds = await page.getByRole('img', { name: /^Mask of/ }).boundingBox()
  assert.ok(bounds)
  return bounds
}

async function move(page: Page, [x, y]: Point): Promise<void> {
  const bounds = await canvasBox(page)
  await page.mouse.move(bounds.x + x, bounds.y + y, { steps: 4 })
}

async function press(page: Page, at: Point): Promise<void> {
  await move(page, at)
  await page.mouse.down()
}

/** Paints through the points, in pixels of the image. */
async function stroke(page: Page, first: Point, ...others: Point[]): Promise<void> {
  await press(page, first)
  for (const point of others) await move(page, point)
  await page.mouse.up()
}

/** The file of the picture on the stage. */
async function resultOf(page: Page): Promise<Buffer> {
  const image = page.locator('[data-stage] img[alt^="Result of"][src^="data:"]')
  await image.waitFor()
  const source = (await image.getAttribute('src')) ?? ''
  return Buffer.from(source.split(',')[1] ?? '', 'base64')
}

async function fetchPreview(api: Client, workflowId: string, node: string): Promise<Buffer> {
  const document = await storedDraft(api, workflowId)
  const { image } = ok(
    await api.post<{ image: { data: string } }>(`/workflows/${workflowId}/draft/preview`, { document, node }),
  )
  return Buffer.from(image.data, 'base64')
}

/** A screenshot for people, if its folder is set. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.STAGE_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/mask-${name}.png` })
}
