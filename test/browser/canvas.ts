/** Places on the canvas while it moves, and dragging. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import { until } from '../harness/wait.ts'
import { consoleTests } from './harness/console.ts'
import {
  canvasOf,
  card,
  choose,
  type DraftDocument,
  draftWith,
  focusCanvas,
  newDraft,
  select,
  waitUntilStill,
} from './harness/editor.ts'
import { drop, transferOf } from './harness/files.ts'

/** A chain of four nodes, with space between them. */
function chain(): DraftDocument {
  return {
    name: 'Chain',
    nodes: {
      a: { type: 'canvas', params: { width: 60, height: 40, color: 'teal' } },
      b: { type: 'blur', inputs: { image: 'a' } },
      c: { type: 'invert', inputs: { image: 'b' } },
    },
    output: { node: 'c', format: 'png' },
    layout: { a: [0, 0], b: [320, 0], c: [640, 0], $output: [960, 0] },
  }
}

consoleTests('the canvas', (of) => {
  test('cards can be clicked where they are visible during and after panning and zooming', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, chain())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { mouse } = page
      await waitForCards(page, 'a')
      const start = await positionOf(page, 'a')
      const ground = { x: start.x, y: start.y + 320 }
      await mouse.move(ground.x, ground.y)
      await mouse.down()
      await mouse.move(ground.x + 60, ground.y - 90, { steps: 4 })
      await waitForPosition(page, 'a', { x: start.x + 60, y: start.y - 90 })
      await mouse.up()
      await page.locator('[data-canvas]:not([data-moving])').waitFor()
      await waitForPosition(page, 'a', { x: start.x + 60, y: start.y - 90 })
      // Zooms out over the corner of the card, which stays under the pointer.
      const corner = await positionOf(page, 'a')
      await mouse.move(corner.x, corner.y)
      await mouse.wheel(0, 150)
      await mouse.wheel(0, 150)
      await until('a smaller card', async () => ((await widthOf(page, 'a')) < corner.width ? true : undefined))
      await waitForPosition(page, 'a', corner)
      await page.locator('[data-canvas]:not([data-moving])').waitFor()
      await waitForPosition(page, 'a', corner)
      await mouse.click(corner.x + 30, corner.y + 10)
      await page.locator('.react-flow__node.selected[data-id="a"]').waitFor()
      const b = await positionOf(page, 'b')
      await mouse.dblclick(b.x, b.y + 200)
      // A keyword of the operation.
      await choose(page, 'link')
      await waitForPosition(page, 'qr', { x: b.x, y: b.y + 200 }, 12)
    })
  })

  test('a wire that was selected is not deleted with a card that is selected later', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, chain())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await waitForCards(page, 'b')
      const [a, b] = [await positionOf(page, 'a'), await positionOf(page, 'b')]
      const across = (a.x + a.width + b.x) / 2
      // On the wire, below the button in its middle.
      const wire = await page.locator('.react-flow__edge[data-id="a>b.image"] .react-flow__edge-path').boundingBox()
      assert.ok(wire)
      await page.mouse.click(across - wire.width / 4, wire.y + wire.height / 2)
      await page.locator('.react-flow__edge.selected[data-id="a>b.image"]').waitFor()
      await focusCanvas(page)
      for (const key of ['ArrowRight', 'Alt+ArrowRight', 'Alt+ArrowRight']) await page.keyboard.press(key)
      await page.locator('.react-flow__node.selected[data-id="c"]').waitFor()
      await page.keyboard.press('Delete')
      const { nodes } = await draftWith(api, workflowId, 'one node less', (document) => !('c' in document.nodes))
      assert.deepEqual(nodes.b?.inputs, { image: 'a' })
    })
  })

  test('the first node stays at its place', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const at = { x: 110, y: 170 }
      await waitForEmptyCanvas(page)
      await page.mouse.dblclick(at.x, at.y)
      await choose(page, 'qr')
      await waitForPosition(page, 'qr', at, 12)
      await waitUntilStill(page)
      await waitForPosition(page, 'qr', at, 12)
    })
  })

  test('dropped images become nodes at their place, or replace the image of a card', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api)
    const drawn = async (name: string) => ({ name, type: 'image/png', bytes: await plain('png') })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const at = { x: 300, y: 200 }
      await waitForEmptyCanvas(page)
      await drop(canvasOf(page), await transferOf(page, [await drawn('Sofa 1.png'), await drawn('写真.png')]), at)
      await waitForPosition(page, 'sofa-1', at, 12)
      await card(page, 'image').waitFor()
      const { nodes, output } = await draftWith(api, workflowId, 'two images', ({ nodes }) => nodes.image !== undefined)
      assert.equal(output?.node, 'sofa-1')
      const sources = [nodes['sofa-1'], nodes.image].map((node) => node?.params?.source)
      for (const source of sources) ok(await api.get(`/storage/images/${source}`))
      await waitUntilStill(page)
      await drop(card(page, 'image'), await transferOf(page, [await drawn('chair.png')]))
      const { nodes: changed } = await draftWith(api, workflowId, 'another image', ({ nodes }) => {
        return nodes.image?.params?.source !== sources[1]
      })
      assert.deepEqual(Object.keys(changed), ['sofa-1', 'image'])
    })
  })

  test('a note is added around the selected cards and moves with the cards on it', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, chain())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { keyboard, mouse } = page
      await select(page, 'a')
      await keyboard.down('Shift')
      await card(page, 'b').click()
      await keyboard.up('Shift')
      // No typed letter is lost or handled as a shortcut of the canvas.
      await keyboard.press('n')
      await keyboard.type('No other note')
      await draftWith(api, workflowId, 'a note', ({ layout }) => {
        const notes = layout as Record<string, { text?: string }> | undefined
        return notes?.['$note-1']?.text === 'No other note'
      })
      await waitUntilStill(page)
      const [note, a, c] = [await positionOf(page, '$note-1'), await positionOf(page, 'a'), await positionOf(page, 'c')]
      await mouse.move(note.x + 40, note.y + 6)
      await mouse.down()
      // A drag begins after this distance.
      await mouse.move(note.x + 43, note.y + 9)
      await mouse.move(note.x + 80, note.y + 66, { steps: 4 })
      await mouse.up()
      await waitForPosition(page, '$note-1', { x: note.x + 40, y: note.y + 60 }, 12)
      await waitForPosition(page, 'a', { x: a.x + 40, y: a.y + 60 }, 12)
      await waitForPosition(page, 'c', c)
      await focusCanvas(page)
      await keyboard.press('Control+z')
      await waitForPosition(page, '$note-1', note)
      await waitForPosition(page, 'a', a)
      await mouse.click(note.x + 40, note.y + 6)
      await keyboard.press('Delete')
      await card(page, '$note-1').waitFor({ state: 'detached' })
      const { nodes } = await draftWith(api, workflowId, 'no note', ({ layout }) => !('$note-1' in (layout ?? {})))
      assert.deepEqual(Object.keys(nodes), ['a', 'b', 'c'])
    })
  })

  test('files that are neither images nor workflows are rejected by name, also together with valid files', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const files = [
        { name: 'clip.mp4', type: 'video/mp4', bytes: Buffer.from([0, 1, 2, 255]) },
        { name: 'broken.png', type: 'image/png', bytes: Buffer.from('no image') },
      ]
      await drop(canvasOf(page), await transferOf(page, files))
      await page.getByText('clip.mp4 isn’t a workflow document or a part of one.').first().waitFor()
      await page.getByText('broken.png was not uploaded:').first().waitFor()
    })
  })
})

/** Waits until the card is rendered and the view shows all cards. */
async function waitForCards(page: Page, id: string): Promise<void> {
  await card(page, id).waitFor()
  await waitUntilStill(page)
}

/** Waits until the canvas is drawn. It knows its own place some frames later. */
async function waitForEmptyCanvas(page: Page): Promise<void> {
  await page.getByText('Nothing here yet').waitFor()
  await waitUntilStill(page)
}

async function positionOf(page: Page, id: string) {
  const box = await card(page, id).boundingBox()
  assert.ok(box, `${id} is not to be seen`)
  return box
}

async function widthOf(page: Page, id: string): Promise<number> {
  return (await positionOf(page, id)).width
}

/** Waits until the card is at this place, in pixels of the window, with a tolerance of `within`. */
async function waitForPosition(page: Page, id: string, { x, y }: { x: number; y: number }, within = 2): Promise<void> {
  await until(`${id} at ${Math.round(x)}, ${Math.round(y)}`, async () => {
    const box = await card(page, id).boundingBox()
    return box && Math.abs(box.x - x) <= within && Math.abs(box.y - y) <= within ? true : undefined
  })
}
