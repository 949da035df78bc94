/** Cards on the canvas: images of source nodes, and the marks of a run next to the images of its steps. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests, type Visitor } from './harness/console.ts'
import {
  canvasOf,
  card,
  draftWith,
  focusCanvas,
  newDraft,
  outputCard,
  run,
  runPanel,
  waitUntilLoaded,
  waitUntilStill,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'
import { screenshot } from './harness/screenshot.ts'

const photograph = new URL('../../examples/samples/coffee.jpg', import.meta.url)

const soft = {
  name: 'Soft',
  nodes: {
    sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'teal' } },
    soft: { type: 'blur', inputs: { image: 'sheet' }, params: { sigma: 2 } },
    small: { type: 'resize', inputs: { image: 'soft' }, params: { width: 30 } },
  },
  output: { node: 'small', format: 'png' },
}

/** A screenshot for people, if its folder is set. */
async function take(page: Page, name: string): Promise<void> {
  const folder = process.env.CARD_SCREENSHOTS
  if (folder !== undefined) await screenshot(page, `${folder}/${name}.png`)
}

consoleTests('cards', (of) => {
  const switchOf = (page: Page, name: 'Pin' | 'Bypass', id: string) =>
    card(page, id).getByRole('button', { name: `${name} ${id}`, includeHidden: true })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`pin and bypass are buttons on the card under the pointer, which keeps its size: ${colorScheme}`, async () => {
      const { api, visit } = of()
      const workflowId = await newDraft(api, soft)
      await visit(
        `/workflows/${workflowId}`,
        async ({ page }) => {
          await card(page, 'soft').waitFor()
          await waitUntilStill(page)
          const [pin, bypass] = [switchOf(page, 'Pin', 'soft'), switchOf(page, 'Bypass', 'soft')]
          const size = await card(page, 'soft').boundingBox()
          assert.deepEqual([await pin.isVisible(), await bypass.isVisible()], [false, false])
          await card(page, 'soft').hover()
          await pin.waitFor()
          assert.deepEqual(await card(page, 'soft').boundingBox(), size)
          await take(page, `hover-${colorScheme}`)
          await bypass.click()
          await draftWith(api, workflowId, 'a bypass', ({ nodes }) => (nodes.soft as { when?: unknown }).when === false)
          assert.equal(await page.locator('.react-flow__node.selected').count(), 0)
          await pin.click()
          await draftWith(api, workflowId, 'a pin', ({ nodes }) => 'pinned' in (nodes.soft ?? {}))
          await bypass.click()
          await card(page, 'sheet').hover()
          // A node without an input has nothing to pass on. A state shows without the pointer.
          await switchOf(page, 'Pin', 'sheet').waitFor()
          assert.equal(await switchOf(page, 'Bypass', 'sheet').count(), 0)
          await bypass.waitFor({ state: 'hidden' })
          assert.equal(await pin.getAttribute('aria-pressed'), 'true')
          assert.equal(await pin.isVisible(), true)
          await take(page, `pinned-${colorScheme}`)
          assert.deepEqual(await seriousViolations(page), [])
          await pin.click()
          await draftWith(
            api,
            workflowId,
            'the start',
            ({ nodes }) => JSON.stringify(nodes) === JSON.stringify(soft.nodes),
          )
        },
        { colorScheme },
      )
    })

  test('a card that is zoomed out has its buttons under the pointer, without growing, until only its image and name are left', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, soft)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'soft').waitFor()
      await waitUntilStill(page)
      const zoomOut = async (distance: string) => {
        await focusCanvas(page)
        await until(`the distance ${distance}`, async () => {
          if ((await canvasOf(page).getAttribute('data-far')) === distance) return true
          await page.keyboard.press('-')
          return undefined
        })
        await waitUntilStill(page)
      }
      const [pin, bypass] = [switchOf(page, 'Pin', 'soft'), switchOf(page, 'Bypass', 'soft')]
      await zoomOut('far')
      const size = await card(page, 'soft').boundingBox()
      assert.equal(await pin.isVisible(), false)
      await card(page, 'soft').hover()
      await pin.waitFor()
      assert.deepEqual(await card(page, 'soft').boundingBox(), size)
      await take(page, 'far')
      await bypass.click()
      await draftWith(api, workflowId, 'a bypass', ({ nodes }) => (nodes.soft as { when?: unknown }).when === false)
      await zoomOut('distant')
      await card(page, 'soft').hover()
      await pin.waitFor({ state: 'hidden' })
    })
  })

  test('the buttons of a card are one tab stop, and arrow keys go from one to the other', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, soft)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'soft').waitFor()
      await waitUntilStill(page)
      await focusCanvas(page)
      const focused = () => page.evaluate('document.activeElement.dataset.id ?? document.activeElement.ariaLabel')
      const press = async (key: string, expected: string) => {
        await page.keyboard.press(key)
        await until(`${expected} after ${key}`, async () => (await focused()) === expected || undefined)
      }
      await press('Tab', 'sheet')
      await press('Tab', 'Pin sheet')
      await press('Tab', 'soft')
      await press('Tab', 'Pin soft')
      await press('ArrowRight', 'Bypass soft')
      await page.keyboard.press('Enter')
      await draftWith(api, workflowId, 'a bypass', ({ nodes }) => (nodes.soft as { when?: unknown }).when === false)
      await page.keyboard.press('Space')
      await draftWith(api, workflowId, 'no bypass', ({ nodes }) => !('when' in (nodes.soft ?? {})))
      await press('ArrowLeft', 'Pin soft')
      await press('Tab', 'small')
      await press('Shift+Tab', 'soft')
    })
  })

  test('on a touch screen, a tap on a card shows its buttons above it, with 44 pixels', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, soft)
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await card(page, 'soft').waitFor()
        await waitUntilStill(page)
        const size = await card(page, 'soft').boundingBox()
        await card(page, 'soft').locator('[class*=names]').tap()
        const bypass = switchOf(page, 'Bypass', 'soft')
        await bypass.waitFor()
        for (const name of ['Pin', 'Bypass'] as const) {
          const { width = 0, height = 0 } = (await switchOf(page, name, 'soft').boundingBox()) ?? {}
          assert.ok(width >= 44 && height >= 44, `${name} has ${width} x ${height}`)
        }
        const now = await card(page, 'soft').boundingBox()
        assert.deepEqual([now?.width, now?.height], [size?.width, size?.height])
        await take(page, 'touch')
        await bypass.tap()
        await draftWith(api, workflowId, 'a bypass', ({ nodes }) => (nodes.soft as { when?: unknown }).when === false)
      },
      { width: 820, height: 1180, context: { hasTouch: true, isMobile: true } },
    )
  })

  test('a source node shows its image and the file name before it runs', async () => {
    const { api, visit } = of()
    const [photo, deleted] = [
      await upload(api, await readFile(photograph), 'A cup of coffee.jpg'),
      await upload(api, await readFile(photograph), 'Deleted.jpg'),
    ]
    ok(await api.delete(`/storage/images/${deleted.id}`))
    const source = (text: string) => ({ type: 'image', params: { source: text } })
    const workflowId = await newDraft(api, {
      name: 'Sources',
      parameters: [{ name: 'logo', type: 'string', default: deleted.id }],
      nodes: {
        own: source(photo.id),
        gone: source(deleted.id),
        chosen: source('{{ logo }}'),
        computed: source('{{ logo | downcase }}'),
        far: source('https://example.com/a/sofa.jpg'),
        grid: { type: 'grid', inputs: { images: ['own', 'chosen'] } },
      },
      output: { node: 'grid', format: 'png' },
      layout: Object.fromEntries(
        ['own', 'gone', 'chosen', 'computed', 'far', 'grid', outputCard].map((id, index) => [
          id,
          [(index % 4) * 280, Math.floor(index / 4) * 260],
        ]),
      ),
    })
    const work = async ({ page }: Visitor) => {
      const image = card(page, 'own').locator('img')
      await waitUntilLoaded(image)
      assert.equal(await image.getAttribute('src'), `/images/${photo.id}/thumbnail`)
      assert.equal(await image.getAttribute('loading'), 'lazy')
      await card(page, 'own').getByText('A cup of coffee.jpg', { exact: true }).waitFor()
      await card(page, 'far').getByText('sofa.jpg · example.com', { exact: true }).waitFor()
      for (const id of ['gone', 'chosen']) await card(page, id).getByText('Restore it from the bin').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await card(page, 'computed').getByText('Image', { exact: true }).waitFor()
      await card(page, 'computed').getByText('Source: {{ logo | downcase }}').waitFor()
      // The node shows the image that the next run loads.
      await runPanel(page).getByRole('button', { name: 'Show the run panel' }).click()
      await fill(page, 'parameters.logo', photo.id)
      await waitUntilLoaded(card(page, 'chosen').locator('img'))
      await card(page, 'chosen').getByText('A cup of coffee.jpg', { exact: true }).waitFor()
      await focusCanvas(page)
      await run(page, api)
      await card(page, 'own').getByText(/ ms$/).waitFor()
      await card(page, 'own').getByText('A cup of coffee.jpg', { exact: true }).waitFor()
    }
    // At low zoom, cards have no titles. The picture of `far` is requested, but its host can't be reached.
    const expected = [/^is answered 503: .*\/draft\/preview$/]
    await visit(`/workflows/${workflowId}`, work, { width: 1920, height: 1400, expected })
  })

  test('the marks of a run are below the images, and no card gets another size', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Marks',
      nodes: {
        scene: { type: 'generate', params: { prompt: 'A red door', model: 'openai/gpt-image-1-mini' } },
        small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 60 } },
        crop: { type: 'crop', inputs: { image: 'small' }, params: { width: 10, height: 6000 } },
      },
      output: { node: 'small', format: 'png' },
    })
    const ids = ['scene', 'small', 'crop', outputCard]
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'crop').waitFor()
      const heights = () =>
        Promise.all(ids.map((id) => card(page, id).evaluate((node) => (node as unknown as Sized).offsetHeight)))
      const before = await heights()
      await focusCanvas(page)
      await run(page, api)
      for (const id of ['scene', 'small', outputCard]) {
        const image = card(page, id).locator('img')
        await waitUntilLoaded(image)
        const marks = card(page, id).locator('[class*=badges]')
        await marks.getByText(/ × /).waitFor()
        // Together, because the view can move.
        const [imageBox, line, all] = await boxesOf(card(page, id), ['img', '[class*=badges]'])
        assert.ok(line.y >= imageBox.y + imageBox.height - 0.5, `the marks of ${id} are below its image`)
        assert.ok(line.y + line.height <= all.y + all.height + 0.5, `the marks of ${id} are on its card`)
      }
      await card(page, 'scene')
        .getByText(/^\$0\.\d+$/)
        .waitFor()
      assert.deepEqual(await heights(), before)
      assert.deepEqual(await seriousViolations(page), [])
    })
  })
})

/** A part of HTMLElement. The height without the zoom of the canvas. */
interface Sized {
  offsetHeight: number
}

interface Box {
  y: number
  height: number
}

/** The places of parts of an element, and of the element itself, at one time. */
function boxesOf(target: Locator, [first, second]: [string, string]): Promise<[Box, Box, Box]> {
  return target.evaluate(
    (element, selectors) => {
      interface Part {
        querySelector(selector: string): Part
        getBoundingClientRect(): Box
      }
      const whole = element as unknown as Part
      const boxOf = (part: Part) => {
        const { y, height } = part.getBoundingClientRect()
        return { y, height }
      }
      const [first, second] = selectors
      return [boxOf(whole.querySelector(first)), boxOf(whole.querySelector(second)), boxOf(whole)] as [Box, Box, Box]
    },
    [first, second] as const,
  )
}
