/** Cards on the canvas: images of source nodes, and the marks of a run next to the images of its steps. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests, type Visitor } from './harness/console.ts'
import { card, focusCanvas, newDraft, outputCard, run, runPanel, waitUntilLoaded } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

const photograph = new URL('../../examples/samples/coffee.jpg', import.meta.url)

consoleTests('cards', (of) => {
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
      for (const id of ['gone', 'chosen']) await card(page, id).getByText('This image doesn’t exist').waitFor()
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
    // At low zoom, cards have no titles.
    await visit(`/workflows/${workflowId}`, work, { width: 1920, height: 1400 })
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
