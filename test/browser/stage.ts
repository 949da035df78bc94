/** The stage: the picture of a node with handles, by pointer and by keyboard. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { type Client, ok } from '../harness/client.ts'
import { repetitions } from '../harness/repetitions.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import {
  card,
  type DraftDocument,
  draftWith,
  field,
  inspector,
  newDraft,
  runPanel,
  select,
  storedDraft,
  waitUntilSaved,
  waitUntilStill,
} from './harness/editor.ts'

type Params = Record<string, unknown>

/** One node of each kind of frame. The sheet is smaller than the stage, so one pixel is one of the window. The keys are in the order of a save. */
const poster: DraftDocument = {
  name: 'Poster',
  nodes: {
    sheet: { type: 'gradient', params: { width: 600, height: 400, from: '#22577a', to: '#57cc99' } },
    title: { type: 'text', inputs: { image: 'sheet' }, params: { text: 'Stage', size: 40, color: 'white' } },
    logo: { type: 'canvas', params: { width: 80, height: 60, color: 'gold' } },
    placed: {
      type: 'composite',
      inputs: { image: 'title', overlay: 'logo' },
      params: { position: 'south-east', margin: 20 },
    },
    again: {
      type: 'composite',
      inputs: { image: 'placed', overlay: 'logo' },
      params: { x: '{{ logoX }}', y: '{{ logoX | plus: 260 }}' },
    },
    turned: { type: 'rotate', inputs: { image: 'again' }, params: { angle: 0 } },
    part: { type: 'crop', inputs: { image: 'turned' }, params: { x: 100, y: 80, width: 300, height: 200 } },
    face: { type: 'smart-crop', inputs: { image: 'placed' }, params: { width: 200, height: 200 } },
    leaning: {
      type: 'perspective',
      inputs: { image: 'placed' },
      params: {
        corners: {
          topLeft: { x: 20, y: 30 },
          topRight: { x: 500, y: 6 },
          bottomRight: { x: 520, y: 380 },
          bottomLeft: { x: 36, y: 350 },
        },
        width: 560,
        height: 400,
      },
    },
    wide: { type: 'extend', inputs: { image: 'placed' }, params: { left: 20 } },
  },
  parameters: [{ name: 'logoX', type: 'number', default: 40 }],
  output: { node: 'part', format: 'png' },
}

/** An overlay and a watermark that positions place, in colours that nothing else has. */
const badge: DraftDocument = {
  name: 'Badge',
  nodes: {
    sheet: { type: 'canvas', params: { width: 600, height: 400, color: '#22577a' } },
    logo: { type: 'canvas', params: { width: 80, height: 60, color: '#ffd700' } },
    seal: { type: 'canvas', params: { width: 60, height: 30, color: '#ff0000' } },
    placed: {
      type: 'composite',
      inputs: { image: 'sheet', overlay: 'logo' },
      params: { position: 'south-east', margin: 20 },
    },
    stamped: {
      type: 'watermark',
      inputs: { image: 'placed', mark: 'seal' },
      params: { position: 'south-west', margin: 0.05, scale: 0.1, opacity: 1 },
    },
  },
  output: { node: 'stamped', format: 'png' },
}
const gold = [255, 215, 0]
const red = [255, 0, 0]

consoleTests('the stage', (of) => {
  test('text is moved and resized on its picture, and each drag is one step of the history', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const title = paramsOf(api, workflowId, 'title')
      await openStage(page, 'title')
      const frame = frameOf(page, 'box')
      // Without a box, the first drag writes all of the box that the step reported.
      await drag(page, grip(frame, 'se'), [-200, -300], ['Control'])
      assert.deepEqual((await title('a box', ({ box }) => box !== undefined)).box, box(0, 0, 400, 100))
      await drag(page, grip(frame, 'move'), [64, 200], ['Control'])
      assert.deepEqual((await title('its place', (now) => left(now) > 0)).box, box(64, 200, 400, 100))
      await waitUntilDrawn(page)
      await photograph(page, 'text')
      await page.keyboard.press('Control+z')
      await title('the first box', (now) => left(now) === 0)
      await page.keyboard.press('Control+z')
      await title('no box', (now) => now.box === undefined)
      await page.keyboard.press('Control+Shift+Z')
      assert.deepEqual((await title('a box again', ({ box }) => box !== undefined)).box, box(0, 0, 400, 100))
    })
  })

  test('edges snap with guides, Ctrl switches that off, Shift keeps the ratio, and Escape restores the start', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, withBox(box(60, 40, 200, 100)))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const title = paramsOf(api, workflowId, 'title')
      await openStage(page, 'title')
      const frame = frameOf(page, 'box')
      // The centre of the box is at 160, 90, and the centre of the image at 300, 200.
      await press(page, grip(frame, 'move'))
      await moveBy(page, [136, 107])
      assert.equal(await page.locator('[data-guide]').count(), 2)
      // The picture follows before the pointer is released.
      await page.locator('[data-stage] img[src^="data:"][alt^="Result of"]').waitFor()
      await photograph(page, 'guides')
      await page.mouse.up()
      assert.equal(await page.locator('[data-guide]').count(), 0)
      assert.deepEqual((await title('the centre', (now) => left(now) !== 60)).box, box(200, 150, 200, 100))
      await drag(page, grip(frame, 'move'), [3, 3], ['Control'])
      assert.deepEqual((await title('3 pixels', (now) => left(now) !== 200)).box, box(203, 153, 200, 100))
      await drag(page, grip(frame, 'se'), [100, 0], ['Shift', 'Control'])
      assert.deepEqual((await title('its ratio', (now) => width(now) !== 200)).box, box(203, 153, 300, 150))
      await press(page, grip(frame, 'nw'))
      await moveBy(page, [-90, -70])
      await field(page, 'nodes.title.params.box.x').getByRole('textbox').waitFor()
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await waitUntilSaved(page)
      assert.deepEqual((await title('the start', () => true)).box, box(203, 153, 300, 150))
      // The stage is still open.
      await frame.waitFor({ state: 'attached' })
    })
  })

  test('handles work with the keyboard alone, and say where they are', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, withBox(box(60, 40, 200, 100)))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const title = paramsOf(api, workflowId, 'title')
      await openStage(page, 'title')
      const frame = frameOf(page, 'box')
      await grip(frame, 'move').waitFor({ state: 'attached' })
      await page.keyboard.press('Tab')
      await waitForFocused(page, 'data-grip', 'move')
      for (const key of ['ArrowRight', 'Shift+ArrowDown', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
      await waitForFocused(page, 'aria-valuetext', 'Left 59, top 50')
      await page.locator('[aria-live]', { hasText: 'Left 59, top 50' }).waitFor({ state: 'attached' })
      // Enter would edit the text.
      await page.keyboard.press('Tab')
      await waitForFocused(page, 'aria-label', 'Box, top left corner')
      await page.keyboard.press('Shift+ArrowRight')
      await waitForFocused(page, 'aria-valuetext', 'Width 190, height 100, text size 40')
      assert.deepEqual((await title('its edge', (now) => left(now) === 69)).box, box(69, 50, 190, 100))
      await page.keyboard.press('Control+z')
      await waitForFocused(page, 'aria-valuetext', 'Width 200, height 100, text size 40')
      await page.keyboard.press('Escape')
      await waitForFocused(page, 'aria-label', 'Box')
      // The next step and back to the graph, with the focus on its card.
      await page.keyboard.press('Alt+ArrowRight')
      await page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current]', { hasText: 'placed' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[data-stage]').waitFor({ state: 'detached' })
      await waitForFocused(page, 'data-id', 'placed')
    })
  })

  test('the size of a text has a handle at the end of its first line, for the pointer and for keys', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, withBox(box(60, 40, 300, 150)))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const title = paramsOf(api, workflowId, 'title')
      const size = (of: number) => title(`the size ${of}`, (now) => now.size === of)
      await openStage(page, 'title')
      const frame = frameOf(page, 'box')
      const handle = grip(frame, 'fontSize')
      await drag(page, handle, [40, -32], ['Control'])
      assert.deepEqual((await size(72)).box, box(60, 40, 300, 150))
      await waitUntilDrawn(page)
      await photograph(page, 'text-size')
      await press(page, handle)
      await moveBy(page, [0, 20])
      await until('a smaller text', async () => (await valueText(handle)) === 'Text size 52' || undefined)
      await page.keyboard.press('Escape')
      await page.mouse.up()
      await until('the size before', async () => (await valueText(handle)) === 'Text size 72' || undefined)
      await page.keyboard.press('Control+z')
      await size(40)

      await handle.focus()
      await waitForFocused(page, 'aria-label', 'Box, text size')
      for (const key of ['ArrowUp', 'ArrowLeft', 'Shift+ArrowUp', 'ArrowRight']) await page.keyboard.press(key)
      await waitForFocused(page, 'aria-valuetext', 'Text size 51')
      await page.locator('[aria-live]', { hasText: 'Text size 51' }).waitFor({ state: 'attached' })
      assert.deepEqual((await size(51)).box, box(60, 40, 300, 150))

      // In a box that is too small for it, it doesn't cover the corners.
      await grip(frame, 'se').focus()
      for (let presses = 0; presses < 25; presses++) await page.keyboard.press('Shift+ArrowLeft')
      for (let presses = 0; presses < 12; presses++) await page.keyboard.press('Shift+ArrowUp')
      await title('a small box', (now) => width(now) === 50)
      await waitUntilDrawn(page)
      await handle.waitFor({ state: 'detached' })
      assert.equal(await grip(frame, 'se').count(), 1)
    })
  })

  test('every kind of handle moves: rotation, crop, focus, gradient, corners and canvas', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'turned')
      const params = (node: string) => paramsOf(api, workflowId, node)
      await drag(page, grip(frameOf(page, 'image'), 'rotate'), [300, 230], ['Shift'])
      assert.equal((await params('turned')('an angle', ({ angle }) => angle !== 0)).angle, 90)
      await page.keyboard.press('Control+z')
      await params('turned')('no angle', ({ angle }) => angle === 0)

      await showStep(page, 'part')
      await drag(page, grip(frameOf(page, 'crop'), 'move'), [400, 40], ['Control'])
      assert.deepEqual(await params('part')('its place', ({ x }) => x !== 100), {
        x: 300,
        y: 120,
        width: 300,
        height: 200,
      })
      await photograph(page, 'crop')

      await showStep(page, 'face')
      const focus = grip(frameOf(page, 'focus'), '0')
      await focus.focus()
      await page.keyboard.press('Shift+ArrowLeft')
      const { focus: point, strategy } = await params('face')('a focus', ({ focus }) => focus !== undefined)
      assert.equal(strategy, undefined)
      assert.ok((point as { x: number }).x > 0 && (point as { x: number }).x < 1)
      await waitUntilDrawn(page)
      await photograph(page, 'focus')

      await showStep(page, 'sheet')
      await drag(page, grip(frameOf(page, 'line'), '1'), [300, -200], ['Shift'])
      assert.equal((await params('sheet')('an angle', ({ angle }) => angle !== undefined)).angle, 90)
      await photograph(page, 'gradient')

      await showStep(page, 'leaning')
      const corner = grip(frameOf(page, 'corners'), '1')
      await press(page, corner)
      await moveBy(page, [20, 30])
      await page.locator('[data-loupe]').waitFor()
      await photograph(page, 'corners')
      await page.mouse.up()
      await page.locator('[data-loupe]').waitFor({ state: 'detached' })
      const { corners } = await params('leaning')('a corner', ({ corners }) => x(corners, 'topRight') !== 500)
      assert.deepEqual((corners as Params).topRight, { x: 520, y: 36 })

      await showStep(page, 'wide')
      await drag(page, grip(frameOf(page, 'canvas'), 'w'), [-15, 0], ['Control'])
      assert.deepEqual(await params('wide')('a wider canvas', ({ left }) => left !== 20), { left: 35 })
    })
  })

  test('an overlay keeps its position when it is moved and scaled, and Alt or a button places it freely', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, badge)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'placed')
      const placed = paramsOf(api, workflowId, 'placed')
      const frame = frameOf(page, 'overlay')
      const undo = async (margin: number) => {
        await page.keyboard.press('Control+z')
        await placed('the margin before', (now) => now.margin === margin)
      }
      await drag(page, grip(frame, 'move'), [-30, -40], ['Control'])
      assert.deepEqual(await placed('a margin', ({ margin }) => margin !== 20), { position: 'south-east', margin: 55 })
      await undo(20)

      // The corner at the sides of the position can't follow the pointer.
      assert.equal(await grip(frame, 'se').count(), 0)
      await drag(page, grip(frame, 'nw'), [-80, -60], ['Control'])
      const scaled = { position: 'south-east', margin: 20, width: 160 }
      assert.deepEqual(await placed('a width', ({ width }) => width !== undefined), scaled)
      assert.equal(await valueText(grip(frame, 'nw')), 'Width 160, height 120')
      await waitUntilDrawn(page)
      assert.deepEqual(await areaOf(page, gold), { left: 420, top: 260, right: 579, bottom: 379 })
      await photograph(page, 'overlay')

      // Near the opposite corner, it gets the margin that it had.
      await drag(page, grip(frame, 'move'), [-396, -236])
      assert.deepEqual(await placed('another position', ({ position }) => position === 'north-west'), {
        ...scaled,
        position: 'north-west',
      })
      await waitUntilDrawn(page)
      assert.deepEqual(await areaOf(page, gold), { left: 20, top: 20, right: 179, bottom: 139 })
      await drag(page, grip(frame, 'move'), [33, 7], ['Alt', 'Control'])
      const free = { width: 160, x: 53, y: 27 }
      assert.deepEqual(await placed('a free place', ({ x }) => x !== undefined), free)
      await drag(page, grip(frame, 'se'), [40, 0], ['Control'])
      assert.deepEqual(await placed('another width', ({ width }) => width !== 160), { ...free, width: 200 })
      await page.keyboard.press('Control+z')
      await undo(20)
      await frame.getByRole('button', { name: 'Overlay is placed by north-west. Place it freely' }).click()
      assert.deepEqual(await placed('a free place', ({ x }) => x !== undefined), { width: 160, x: 20, y: 20 })
      await frame.getByRole('button').waitFor({ state: 'detached' })
    })
  })

  test('a watermark and an overlay keep their positions with the keyboard', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, badge)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'stamped')
      const stamped = paramsOf(api, workflowId, 'stamped')
      const mark = frameOf(page, 'mark')
      await grip(mark, 'move').waitFor({ state: 'attached' })
      await waitUntilDrawn(page)
      await grip(mark, 'move').focus()
      await page.keyboard.press('Shift+ArrowRight')
      await waitForFocused(page, 'aria-valuetext', 'Left 30, top 340, south-west, margin 30')
      assert.deepEqual(await stamped('a margin', ({ margin }) => margin !== 0.05), {
        ...badge.nodes.stamped?.params,
        margin: 0.075,
      })
      await waitUntilDrawn(page)
      assert.deepEqual(await areaOf(page, red), { left: 30, top: 340, right: 89, bottom: 369 })
      await grip(mark, 'ne').focus()
      await page.keyboard.press('Shift+ArrowRight')
      assert.ok(Number((await stamped('a scale', ({ scale }) => scale !== 0.1)).scale) > 0.1)
      await photograph(page, 'watermark')

      await showStep(page, 'placed')
      const placed = paramsOf(api, workflowId, 'placed')
      const overlay = frameOf(page, 'overlay')
      await grip(overlay, 'move').waitFor({ state: 'attached' })
      await waitUntilDrawn(page)
      await grip(overlay, 'move').focus()
      await page.keyboard.press('ArrowUp')
      await waitForFocused(page, 'aria-valuetext', 'Left 499, top 319, south-east, margin 21')
      assert.deepEqual(await placed('a margin', ({ margin }) => margin !== 20), { position: 'south-east', margin: 21 })
    })
  })

  test('a plain parameter is edited in the run form, and another template shows a lock and can be replaced', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'again')
      const frame = frameOf(page, 'overlay')
      await frame.getByText('logoX').waitFor()
      // y is locked: only x follows the pointer.
      await drag(page, grip(frame, 'move'), [30, 50], ['Control'])
      await until('the value', async () => (await valueText(grip(frame, 'move'))) === 'Left 70, top 330' || undefined)
      await runPanel(page).getByRole('button', { name: /^Show/ }).or(runPanel(page).getByRole('button').last()).click()
      assert.equal(await runPanel(page).getByRole('textbox', { name: /logoX/ }).inputValue(), '70')
      assert.deepEqual((await storedDraft(api, workflowId)).nodes.again, poster.nodes.again)
      await photograph(page, 'parameter')
      await frame.getByRole('button', { name: '1 locked value of Overlay' }).click()
      await page.getByText('Top depends on logoX').waitFor()
      await photograph(page, 'lock')
      await page.getByRole('button', { name: 'Replace by 330' }).click()
      const { y } = await paramsOf(api, workflowId, 'again')('a number', (now) => typeof now.y === 'number')
      assert.equal(y, 330)
    })
  })

  test('space, the wheel and keys change the view', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, withBox(box(60, 40, 200, 100)))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'title')
      await grip(frameOf(page, 'box'), 'move').waitFor({ state: 'attached' })
      assert.equal(await zoom(page), 1)
      const before = await picture(page).boundingBox()
      assert.ok(before)
      // The pixel under the pointer stays.
      await page.mouse.move(before.x + 100, before.y + 100)
      await page.mouse.wheel(0, -400)
      await until('a larger picture', async () => (await zoom(page)) > 1.5 || undefined)
      const after = await picture(page).boundingBox()
      const scale = await zoom(page)
      assert.ok(after && Math.abs(before.x + 100 - (after.x + 100 * scale)) < 1.5)
      await page.keyboard.down('Space')
      await page.mouse.down()
      await page.mouse.move(before.x + 150, before.y + 120)
      await page.mouse.up()
      await page.keyboard.up('Space')
      const panned = await picture(page).boundingBox()
      assert.ok(panned && Math.abs(panned.x - after.x - 50) < 1.5)
      await page.keyboard.press('1')
      await until('the full size', async () => (await zoom(page)) === 1 || undefined)
      await page.setViewportSize({ width: 1000, height: 500 })
      await page.keyboard.press('0')
      await until('a smaller picture', async () => (await zoom(page)) < 1 || undefined)
      assert.deepEqual((await paramsOf(api, workflowId, 'title')('the box', () => true)).box, box(60, 40, 200, 100))
    })
  })

  test('what costs money waits for a click, with its price', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Door',
      nodes: {
        door: { type: 'generate', params: { prompt: `A red door ${Date.now()}`, model: 'openai/gpt-image-1-mini' } },
        title: { type: 'text', inputs: { image: 'door' }, params: { text: 'Open', size: 40 } },
      },
      output: { node: 'title', format: 'png' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'title')
      const update = page.getByRole('button', { name: /^Update the picture · up to \$/ })
      await update.first().waitFor()
      assert.equal(await executionsOf(api, workflowId), 0)
      await update.first().click()
      await frameOf(page, 'box').waitFor({ state: 'attached' })
      await waitUntilDrawn(page)
      const paid = await executionsOf(api, workflowId)
      // From now on the paid step is cached, so that a change of the text costs nothing.
      await drag(page, grip(frameOf(page, 'box'), 'se'), [-100, -100], ['Control'])
      await waitUntilDrawn(page)
      assert.equal(await executionsOf(api, workflowId), paid)
    })
  })

  test('ten drags record no execution, and the settled picture has the pixels of a run', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      ...withBox(box(60, 40, 200, 100)),
      output: { node: 'title', format: 'png' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'title')
      const frame = frameOf(page, 'box')
      for (let drags = 0; drags < 10; drags++) await drag(page, grip(frame, 'move'), [7, 5], ['Control'])
      await waitUntilDrawn(page)
      assert.equal(await executionsOf(api, workflowId), 0)
      assert.deepEqual((await paramsOf(api, workflowId, 'title')('ten drags', (now) => left(now) === 130)).box, {
        ...box(130, 90, 200, 100),
      })
      const source = (await picture(page).getAttribute('src')) ?? ''
      assert.match(source, /^data:image\/png;base64,/)
      await waitUntilSaved(page)
      const { output } = ok(await api.post<Execution>(`/workflows/${workflowId}/draft/execute`, {}))
      const run = await fetchImage(api, output?.url ?? '')
      const live = Buffer.from(source.split(',')[1] ?? '', 'base64')
      assert.deepEqual(await sharp(live).raw().toBuffer(), await sharp(run).raw().toBuffer())
      // The steps have their pictures, too, without a run.
      const steps = page.getByRole('navigation', { name: 'Steps' }).locator('img')
      await until('a picture of each step', async () => (await steps.count()) === 10 || undefined)
      // The input of a crop is as sharp as the result.
      await showStep(page, 'part')
      await waitUntilDrawn(page)
      const inputWidth = await picture(page).evaluate((image) => (image as { naturalWidth: number }).naturalWidth)
      assert.equal(inputWidth, 600)
      await waitUntilSaved(page)
      assert.equal(await executionsOf(api, workflowId), 1)
    })
  })

  test('no serious violation of accessibility, in both schemes', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster)
    for (const colorScheme of ['light', 'dark'] as const)
      await visit(
        `/workflows/${workflowId}`,
        async ({ page }) => {
          await openStage(page, 'again')
          await grip(frameOf(page, 'overlay'), 'move').waitFor({ state: 'attached' })
          await waitUntilDrawn(page)
          assert.deepEqual(await seriousViolations(page), [])
          await showStep(page, 'placed')
          await page.getByRole('button', { name: /^Overlay is placed by south-east/ }).waitFor()
          await waitUntilDrawn(page)
          await photograph(page, `anchor-${colorScheme}`)
          assert.deepEqual(await seriousViolations(page), [])
          await showStep(page, 'leaning')
          await grip(frameOf(page, 'corners'), '0').waitFor()
          await waitUntilDrawn(page)
          await photograph(page, `axe-${colorScheme}`)
          assert.deepEqual(await seriousViolations(page), [])
        },
        { colorScheme },
      )
  })

  test('handles have targets of 44 pixels on a touch screen', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, withBox(box(60, 40, 200, 100)))
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await card(page, 'title').waitFor()
        await waitUntilStill(page)
        await card(page, 'title').locator('[data-picture]').dblclick()
        const handle = grip(frameOf(page, 'box'), 'se')
        await handle.waitFor()
        await photograph(page, 'phone')
        const bounds = await handle.boundingBox()
        assert.ok(bounds)
        const [cx, cy] = [bounds.x + bounds.width / 2, bounds.y + bounds.height / 2]
        for (const [dx, dy] of [
          [21, 0],
          [0, 21],
          [21, 21],
        ] as const)
          assert.equal(
            await page.evaluate(
              `document.elementFromPoint(${cx + dx}, ${cy + dy})?.closest('[data-grip]')?.dataset.grip`,
            ),
            'se',
          )
        for (const button of await page.locator('[data-stage] > :first-child button:visible').all()) {
          const { x: at = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {}
          assert.ok(
            width >= 44 && height >= 44 && at + width <= 390,
            `${await button.getAttribute('aria-label')}: ${width} x ${height}`,
          )
        }
      },
      { width: 390, height: 844, context: { hasTouch: true, isMobile: true } },
    )
  })

  test('random drags change only bound params, and undo gives the same document', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, withBox(box(60, 40, 200, 100)))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'title')
      const original = JSON.stringify(await storedDraft(api, workflowId))
      const random = generator(20_261_129)
      for (const [id, count] of [
        ['title', repetitions(8, 40)],
        ['placed', repetitions(6, 30)],
        ['part', repetitions(6, 30)],
      ] as const) {
        await showStep(page, id)
        const grips = page.locator('[data-frame] [data-grip]:not([aria-disabled])')
        await grips.first().waitFor({ state: 'attached' })
        for (let drags = 0; drags < count; drags++) {
          const handle = grips.nth(Math.floor(random() * (await grips.count())))
          const by: [number, number] = [Math.round(random() * 160 - 80), Math.round(random() * 120 - 60)]
          await drag(page, handle, by, random() < 0.3 ? ['Shift'] : random() < 0.5 ? ['Control'] : [], false)
        }
      }
      await waitUntilSaved(page)
      const { nodes, ...rest } = await storedDraft(api, workflowId)
      const { nodes: before, ...restBefore } = JSON.parse(original) as DraftDocument
      assert.deepEqual(withoutLayout(rest), withoutLayout(restBefore))
      const bound: Record<string, string[]> = {
        title: ['box', 'size'],
        placed: ['x', 'y', 'position', 'margin', 'width'],
        part: ['x', 'y', 'width', 'height'],
      }
      for (const [id, node] of Object.entries(nodes))
        assert.deepEqual(without(node.params, bound[id]), without(before[id]?.params, bound[id]), id)
      assert.notDeepEqual(nodes, before)
      for (let steps = 0; steps < 110; steps++) await page.keyboard.press('Control+z')
      await draftWith(api, workflowId, 'the same bytes', (document) => JSON.stringify(document) === original)
    })
  })
})

function withoutLayout({ layout: _, ...rest }: Params & { layout?: unknown }): Params {
  return rest
}

function without(params: Params = {}, names: readonly string[] = []): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
}

function withBox(value: Params): DraftDocument {
  const { title, ...nodes } = poster.nodes
  return { ...poster, nodes: { ...nodes, title: { type: 'text', ...title, params: { ...title?.params, box: value } } } }
}

function box(x: number, y: number, width: number, height: number): Params {
  return { x, y, width, height }
}

const left = ({ box }: Params) => (box as { x: number }).x
const width = ({ box }: Params) => (box as { width: number }).width
const x = (corners: unknown, name: string) => (corners as Record<string, { x: number }>)[name]?.x

/** The rectangle around the pixels of a colour in the picture on the stage. */
async function areaOf(page: Page, color: readonly number[]) {
  const source = (await picture(page).getAttribute('src')) ?? ''
  const { data, info } = await sharp(Buffer.from(source.split(',')[1] ?? '', 'base64'))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = Array.from({ length: info.width * info.height }, (_, index) => index).filter((index) =>
    color.every((value, channel) => Math.abs((data[index * info.channels + channel] ?? -1) - value) < 20),
  )
  const [xs, ys] = [at.map((index) => index % info.width), at.map((index) => Math.floor(index / info.width))]
  const least = (values: number[]) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const most = (values: number[]) => values.reduce((a, b) => Math.max(a, b), 0)
  return { left: least(xs), top: least(ys), right: most(xs), bottom: most(ys) }
}

async function executionsOf(api: Client, workflowId: string): Promise<number> {
  return ok(await api.get<{ executions: unknown[] }>('/workflows/executions', { workflowId })).executions.length
}

/** Opens the stage with the keyboard. */
async function openStage(page: Page, id: string): Promise<void> {
  await card(page, id).waitFor()
  await select(page, id)
  await waitUntilStill(page)
  await page.keyboard.press('Enter')
  await page.locator('[data-stage]').waitFor()
}

/** Shows another step with the filmstrip. */
async function showStep(page: Page, id: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: id, exact: true }).click()
  await inspector(page)
    .getByRole('heading', { name: `Node ${id}` })
    .waitFor({ state: 'attached' })
}

function frameOf(page: Page, id: string): Locator {
  return page.locator(`[data-frame="${id}"]`)
}

function grip(frame: Locator, name: string): Locator {
  return frame.locator(`[data-grip="${name}"]`)
}

function picture(page: Page): Locator {
  return page.locator('[data-stage] img[alt^="Result of"]')
}

/** The position at which the pointer pressed. */
let pressedAt = { x: 0, y: 0 }

async function press(page: Page, handle: Locator, isDrawn = true): Promise<void> {
  await handle.waitFor({ state: 'attached' })
  if (isDrawn) await waitUntilDrawn(page)
  const bounds = await handle.boundingBox()
  assert.ok(bounds)
  pressedAt = { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2 }
  await page.mouse.move(pressedAt.x, pressedAt.y)
  await page.mouse.down()
}

/** Moves the pressed pointer by pixels of the image. */
async function moveBy(page: Page, [dx, dy]: readonly [number, number]): Promise<void> {
  const scale = await zoom(page)
  await page.mouse.move(pressedAt.x + (dx * scale) / 2, pressedAt.y + (dy * scale) / 2)
  await page.mouse.move(pressedAt.x + dx * scale, pressedAt.y + dy * scale)
}

/** `isDrawn`: waits until the picture is the one of the settings. */
async function drag(
  page: Page,
  handle: Locator,
  by: readonly [number, number],
  keys: readonly string[] = [],
  isDrawn = true,
): Promise<void> {
  await press(page, handle, isDrawn)
  for (const key of keys) await page.keyboard.down(key)
  await moveBy(page, by)
  await page.mouse.up()
  for (const key of keys) await page.keyboard.up(key)
}

/** Pixels of the window for one of the image. */
function zoom(page: Page): Promise<number> {
  return picture(page).evaluate((image) => {
    const { getComputedStyle, DOMMatrix } = globalThis as never as {
      getComputedStyle(element: unknown): { transform: string }
      DOMMatrix: new (transform: string) => { a: number }
    }
    return new DOMMatrix(getComputedStyle(image).transform).a
  })
}

/** Waits until the picture is the one of the settings. */
async function waitUntilDrawn(page: Page): Promise<void> {
  await page.locator('[data-stage][data-settled]').waitFor()
}

/** Waits until the element with the focus has this value of the attribute. */
async function waitForFocused(page: Page, attribute: string, value: string): Promise<void> {
  const read = `document.activeElement.getAttribute(${JSON.stringify(attribute)})`
  await page.waitForFunction(`${read} === ${JSON.stringify(value)}`)
}

function valueText(handle: Locator): Promise<string | null> {
  return handle.getAttribute('aria-valuetext')
}

function paramsOf(api: Client, workflowId: string, node: string) {
  return async (expectation: string, is: (params: Params) => boolean): Promise<Params> => {
    const { nodes } = await draftWith(api, workflowId, expectation, (now) => is(now.nodes[node]?.params ?? {}))
    return nodes[node]?.params ?? {}
  }
}

/** Numbers from 0 to 1, the same in each run. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A screenshot for people, if its folder is set. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.STAGE_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}
