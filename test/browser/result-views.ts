/** Results: the same buttons everywhere, the lightbox, and all outputs side by side and in a ZIP file. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type Client, ok } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'
import { namesInZip } from '../harness/zip.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { card, focusCanvas, runPanel } from './harness/editor.ts'

const poster = {
  name: 'Poster',
  nodes: {
    sheet: { type: 'gradient', params: { width: 1600, height: 900, from: 'teal', to: 'navy' } },
    grey: { type: 'grayscale', inputs: { image: 'sheet' } },
  },
  output: { node: 'sheet', format: 'png' },
  outputs: {
    story: { node: 'grey', format: 'jpeg', width: 900 },
    web: { node: 'grey', format: 'webp', width: 450 },
  },
}

const execute = async (api: Client, workflowId: string) =>
  ok(await api.post<Execution>('/workflows/execute', { workflowId })).executionId

/** The four buttons of a result. */
async function hasButtons(part: Locator): Promise<void> {
  for (const name of ['Copy URL', 'Copy image']) await part.getByRole('button', { name, exact: true }).waitFor()
  for (const name of ['Download the image', 'Open the image in a new tab'])
    await part.getByRole('link', { name, exact: true }).waitFor()
}

const lightbox = (page: Page) => page.getByRole('dialog', { name: /^Output of Poster/ })
const zoomOf = async (page: Page) =>
  Number.parseInt(
    (await lightbox(page)
      .getByText(/^\d+ %$/)
      .textContent()) ?? '',
    10,
  )
/** The part of the window that the image covers, after its transformation. */
const boxOf = async (page: Page) => (await lightbox(page).locator('img').boundingBox()) ?? assert.fail('no image')

consoleTests('results', (of) => {
  test('a result has the same buttons in the editor, on the Run page, of an execution, of a row and in storage', async () => {
    const { api, visit } = of()
    const { id } = await save(api, { name: poster.name, nodes: poster.nodes, output: poster.output })
    const executionId = await execute(api, id)
    await upload(api, await plain('png', 20, 10), 'kept.png')
    await visit(
      `/executions/${executionId}`,
      async ({ page }) => {
        await hasButtons(page.locator('figure'))
        await page.getByRole('button', { name: 'Copy image', exact: true }).click()
        const size = await until(
          'a PNG in the clipboard',
          () =>
            page.evaluate(`(async () => {
            const [item] = await navigator.clipboard.read()
            if (!item?.types.includes('image/png')) return undefined
            const { width, height } = await createImageBitmap(await item.getType('image/png'))
            return [width, height].join('x')
          })()`) as Promise<string | undefined>,
        )
        assert.equal(size, '1600x900')
        await page.getByRole('button', { name: 'Copy URL', exact: true }).click()
        const url = (await page.evaluate('navigator.clipboard.readText()')) as string
        assert.match(url, /^http.*\/images\/img_\w+\.png$/)
        const [opened] = await Promise.all([
          page.context().waitForEvent('page'),
          page.getByRole('link', { name: 'Open the image in a new tab', exact: true }).click(),
        ])
        assert.equal(new URL(opened.url()).pathname, new URL(url).pathname)
        await opened.close()

        await page.goto(`/workflows/${id}/run`)
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await hasButtons(page.locator('figure'))
        await page.goto(`/workflows/${id}`)
        await card(page, 'sheet').waitFor()
        await focusCanvas(page)
        await page.keyboard.press('Control+Enter')
        await hasButtons(runPanel(page))
        await page.goto('/storage')
        await page.getByRole('button', { name: 'Open kept.png' }).click()
        await hasButtons(page.getByRole('dialog', { name: 'kept.png' }))

        const batch = ok(await api.post<{ id: string }>('/batches', { workflowId: id }), 201)
        const rows = { body: 'key\nfirst\n', headers: { 'content-type': 'text/csv' } }
        ok(await api.call('PUT', `/batches/${batch.id}/items`, rows))
        ok(await api.post(`/batches/${batch.id}/start`))
        await page.goto(`/batches/${batch.id}`)
        await page.getByRole('region', { name: 'Rows' }).getByRole('button', { name: /first/ }).click()
        await hasButtons(page.getByRole('dialog', { name: 'Row first' }))
      },
      // The viewer of the browser for an image has inline styles, which the policy of the image doesn't allow.
      { hasClipboard: true, expected: [/Applying inline style violates/, /violates style-src-attr/] },
    )
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`the lightbox zooms, pans and shows the next output, with mouse and keyboard (${colorScheme})`, async () => {
      const { api, visit } = of()
      const { id } = await save(api, poster)
      const executionId = await execute(api, id)
      await visit(
        `/executions/${executionId}`,
        async ({ page }) => {
          const opener = page.getByRole('button', { name: 'Show the image in full size' })
          await opener.click()
          await lightbox(page).getByText('(1 of 3)').waitFor()
          const fitted = await until('the zoom', async () => (await zoomOf(page)) || undefined)
          assert.ok(fitted < 100, `${fitted} %`)
          assert.deepEqual(await seriousViolations(page), [])
          // The wheel zooms at the pointer: the pixel below it stays.
          const start = await boxOf(page)
          const at = { x: start.x + start.width / 4, y: start.y + start.height / 2 }
          await page.mouse.move(at.x, at.y)
          await page.mouse.wheel(0, -400)
          await until('a larger image', async () => (await zoomOf(page)) > fitted || undefined)
          const larger = await boxOf(page)
          assert.ok(Math.abs((at.x - larger.x) / larger.width - 0.25) < 0.01, JSON.stringify(larger))
          // Dragging moves it.
          await page.mouse.down()
          await page.mouse.move(at.x - 50, at.y, { steps: 4 })
          await page.mouse.up()
          await until('the moved image', async () => Math.abs((await boxOf(page)).x - larger.x + 50) < 2 || undefined)
          await page.keyboard.press('1')
          await until('actual size', async () => (await zoomOf(page)) === 100 || undefined)
          const before = await boxOf(page)
          assert.equal(Math.round(before.width / (start.width / fitted)), 100)
          await page.keyboard.press('ArrowRight')
          await until('a pan to the right', async () => (await boxOf(page)).x < before.x || undefined)
          await page.keyboard.press('+')
          await until('a step', async () => (await zoomOf(page)) === 140 || undefined)
          await page.keyboard.press('0')
          await until('the fit', async () => (await zoomOf(page)) === fitted || undefined)
          // When it fits, arrows go to the next output.
          await page.keyboard.press('ArrowRight')
          await lightbox(page).getByText('story (2 of 3)').waitFor()
          await lightbox(page).getByRole('button', { name: 'Next image' }).click()
          await lightbox(page).getByText('web (3 of 3)').waitFor()
          assert.ok(await lightbox(page).getByRole('button', { name: 'Next image' }).isDisabled())
          // A small image keeps its size.
          await until('100 %', async () => (await zoomOf(page)) === 100 || undefined)
          await page.keyboard.press('PageUp')
          await lightbox(page).getByText('story (2 of 3)').waitFor()
          await hasButtons(lightbox(page))
          await page.keyboard.press('Escape')
          await lightbox(page).waitFor({ state: 'detached' })
          await opener.and(page.locator(':focus')).waitFor()
        },
        { colorScheme },
      )
    })

  test('two fingers zoom in the lightbox', async () => {
    const { api, visit } = of()
    const { id } = await save(api, poster)
    const executionId = await execute(api, id)
    await visit(
      `/executions/${executionId}`,
      async ({ page, context }) => {
        await page.getByRole('button', { name: 'Show the image in full size' }).tap()
        const fitted = await until('the zoom', async () => (await zoomOf(page)) || undefined)
        const { x, y, width, height } = await boxOf(page)
        const devtools = await context.newCDPSession(page)
        const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
          devtools.send('Input.dispatchTouchEvent', {
            type,
            touchPoints:
              type === 'touchEnd'
                ? []
                : [-1, 1].map((side, id) => ({ x: x + width / 2 + side * apart, y: y + height / 2, id })),
          })
        await touch('touchStart', 20)
        for (const apart of [30, 40, 50, 60]) await touch('touchMove', apart)
        await touch('touchEnd', 60)
        await until('three times as large', async () => Math.abs((await zoomOf(page)) / fitted - 3) < 0.2 || undefined)
      },
      { width: 390, height: 844, context: { hasTouch: true } },
    )
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`all outputs are shown side by side and downloaded in one file (${colorScheme})`, async () => {
      const { api, visit } = of()
      const { id } = await save(api, poster)
      const executionId = await execute(api, id)
      await visit(
        `/executions/${executionId}`,
        async ({ page }) => {
          await page.getByRole('tab', { name: 'Output', exact: true }).focus()
          await page.keyboard.press('End')
          await page.keyboard.press('Enter')
          const all = page.getByRole('list', { name: 'All outputs' })
          await all.getByText('web · 450 × 253').waitFor()
          assert.deepEqual(await all.locator('li').allTextContents(), [
            'Output · 1600 × 900',
            'story · 900 × 506',
            'web · 450 × 253',
          ])
          assert.deepEqual(await seriousViolations(page), [])
          await all.getByRole('button', { name: 'Open story' }).click()
          await lightbox(page).getByText('story (2 of 3)').waitFor()
          await page.keyboard.press('Escape')
          const [file] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('button', { name: 'Download all (ZIP)' }).click(),
          ])
          assert.equal(file.suggestedFilename(), 'outputs.zip')
          const names = namesInZip(await readFile(await file.path()))
          assert.deepEqual(names, ['output.png', 'story.jpg', 'web.webp'])
        },
        { colorScheme },
      )
    })

  test('the run panel is resized and moved to the right, with mouse and keyboard, and the browser remembers it', async () => {
    const { api, visit } = of()
    const { id } = await save(api, poster)
    await visit(
      `/workflows/${id}`,
      async ({ page }) => {
        await card(page, 'sheet').waitFor()
        await focusCanvas(page)
        await page.keyboard.press('r')
        const sizeOf = async () => (await runPanel(page).boundingBox()) ?? assert.fail('no panel')
        const before = await sizeOf()
        const grip = page.getByRole('separator', { name: 'Height of the run panel' })
        const line = (await grip.boundingBox()) ?? assert.fail('no grip')
        await page.mouse.move(line.x + 200, line.y)
        await page.mouse.down()
        await page.mouse.move(line.x + 200, line.y - 120, { steps: 4 })
        await page.mouse.up()
        await until(
          'a higher panel',
          async () => Math.abs((await sizeOf()).height - before.height - 120) < 3 || undefined,
        )
        await grip.focus()
        await page.keyboard.press('ArrowDown')
        await until('one step', async () => Math.abs((await sizeOf()).height - before.height - 104) < 3 || undefined)
        assert.deepEqual(await seriousViolations(page), [])
        await page.getByRole('button', { name: 'Show the run panel on the right' }).click()
        await until('a panel next to the canvas', async () => (await sizeOf()).width === 440 || undefined)
        assert.deepEqual(await seriousViolations(page), [])
        await page.getByRole('separator', { name: 'Width of the run panel' }).focus()
        for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft')
        await until('a wider panel', async () => (await sizeOf()).width === 504 || undefined)
        await page.reload()
        await card(page, 'sheet').waitFor()
        await focusCanvas(page)
        await page.keyboard.press('r')
        await until('the remembered place', async () => (await sizeOf()).width === 504 || undefined)
        await page.getByRole('button', { name: 'Show the run panel below' }).click()
        await until(
          'the remembered height',
          async () => Math.abs((await sizeOf()).height - before.height - 104) < 3 || undefined,
        )
      },
      { width: 1440, height: 900 },
    )
  })

  test('a wide window shows a small graph larger, and far away cards have only their image and name', async () => {
    const { api, visit } = of()
    const { id } = await save(api, poster)
    await visit(
      `/workflows/${id}`,
      async ({ page }) => {
        const width = async () => (await card(page, 'sheet').boundingBox())?.width ?? 0
        await card(page, 'sheet').waitFor()
        await until(
          'cards in 1.8 times their size',
          async () => Math.abs((await width()) / 216 - 2560 / 1440) < 0.05 || undefined,
        )
        const socket = card(page, 'grey').getByText('image', { exact: true }).first()
        await socket.waitFor()
        const height = (await card(page, 'grey').boundingBox())?.height ?? 0
        const shape = height / (await width())
        await page.mouse.move(600, 600)
        await page.keyboard.down('Control')
        await until('small cards', async () => {
          await page.mouse.wheel(0, 200)
          return (await width()) < 216 * 0.28 || undefined
        })
        await page.keyboard.up('Control')
        await socket.waitFor({ state: 'hidden' })
        // A wire can still end there.
        await card(page, 'grey').locator('.react-flow__handle.target').first().waitFor()
        await card(page, 'grey').getByText('grey', { exact: true }).waitFor()
        const far = (await card(page, 'grey').boundingBox()) ?? assert.fail('no card')
        assert.ok(Math.abs(far.height / far.width - shape) < 0.02, 'the card keeps its shape')
      },
      { width: 2560, height: 1440 },
    )
  })
})
