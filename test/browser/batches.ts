/** Batches in the console: a file on the run page, its problems, the progress, failed rows and downloads. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { namesInZip } from '../harness/zip.ts'
import { consoleTests } from './harness/console.ts'
import { waitUntilInSight } from './harness/settled.ts'

/** A row fails if its crop is outside of the image. */
const cropped = {
  name: 'Cropped',
  parameters: [
    { name: 'left', type: 'number', required: true },
    { name: 'color', type: 'string', default: 'teal' },
  ],
  nodes: {
    sheet: { type: 'canvas', params: { width: 40, height: 30, color: '{{ color }}' } },
    part: { type: 'crop', inputs: { image: 'sheet' }, params: { x: '{{ left }}', y: 0, width: 10, height: 10 } },
  },
  output: { node: 'part', format: 'png' },
}

const chooseFile = (page: Page, name: string, text: string) =>
  page.locator('input[type=file][accept*=csv]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const status = (page: Page) => page.getByRole('status').filter({ hasText: 'completed' })

consoleTests('batches', (of) => {
  test('the problems of a file are shown by line, and the corrected file becomes a batch', async () => {
    const { api, visit } = of()
    const { id } = await save(api, cropped)
    await visit(
      `/workflows/${id}/run`,
      async ({ page }) => {
        await page.getByText('drop a CSV or NDJSON file').waitFor()
        await chooseFile(page, 'cards.csv', 'key,left\na,x\na,1\n')
        await waitUntilInSight(page.getByText('The file has 2 problems'))
        await waitUntilInSight(page.getByText('line 2, left'))
        await waitUntilInSight(page.getByText('line 3, key'))
        // Otherwise the browser doesn't report the choice of a file with the same name.
        assert.equal(await page.locator('input[type=file][accept*=csv]').inputValue(), '')
        await chooseFile(page, 'cards.csv', 'key,left\ngood,1\nbad,5000\nfine,2\n')
        await page.getByRole('heading', { name: 'cards.csv' }).waitFor()
        await page.getByText('No AI model is called, so it costs nothing.').waitFor()
        // The rows that are read before the end of the batch are as they were before its start.
        const [, batchId] = /batches\/(\w+)/.exec(page.url()) ?? []
        const rows = ok(await api.get<object>(`/batches/${batchId}/items`, { limit: 100 }))
        let isOver = false
        await page.route(`**/v1/batches/${batchId}`, async (route) => {
          const response = await route.fetch()
          isOver ||= ((await response.json()) as { status: string }).status === 'completed'
          return route.fulfill({ response })
        })
        await page.route(`**/v1/batches/${batchId}/items*`, (route) =>
          isOver ? route.continue() : route.fulfill({ json: rows }),
        )
        await page.getByRole('button', { name: 'Start' }).click()
        await status(page).filter({ hasText: '2 of 3 rows completed · 1 failed' }).waitFor()
        const region = page.getByRole('region', { name: 'Rows' })
        await region.getByRole('button', { name: /bad/ }).getByText('Failed').waitFor()
        await region.getByText('Waiting').first().waitFor({ state: 'detached' })
        assert.deepEqual(ok(await api.get<{ total: number }>('/batches', { workflowId: id })).total, 1)
        await page.getByRole('link', { name: 'Cropped' }).click()
        await page.waitForURL(`**/workflows/${id}/run`)
      },
      { height: 520 },
    )
  })

  test('a failed row is changed and retried, and the results are downloaded', async () => {
    const { api, visit } = of()
    const { id } = await save(api, cropped)
    await visit(`/workflows/${id}/run`, async ({ page }) => {
      await page.getByText('drop a CSV or NDJSON file').waitFor()
      await chooseFile(page, 'retried.csv', 'key,left\ngood,1\nbad,5000\n')
      await page.getByRole('button', { name: 'Start' }).click()
      await status(page).filter({ hasText: '1 failed' }).waitFor()
      await page.getByText('Failed 1', { exact: true }).click()
      await page.getByRole('button', { name: /bad/ }).click()
      await page.getByText('The execution failed').waitFor()
      await page.getByRole('textbox', { name: 'left' }).fill('3')
      await page.getByRole('button', { name: 'Retry this row' }).click()
      await status(page).filter({ hasText: '2 of 2 rows completed' }).waitFor()
      await page.getByRole('button', { name: 'Download' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Images (ZIP)' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'retried.csv.zip')
    })
  })

  test('the reason is shown if the service rejects an action', async () => {
    const { api, visit } = of()
    const { id: workflowId } = await save(api, cropped)
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId, name: 'Changed' }), 201)
    const headers = { 'content-type': 'text/csv' }
    ok(await api.call('PUT', `/batches/${id}/items`, { body: 'key,left\na,1\n', headers }))
    await visit(`/batches/${id}`, async ({ page }) => {
      await page.getByRole('button', { name: 'Start' }).waitFor()
      ok(await api.delete(`/batches/${id}`))
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByText('Something went wrong').waitFor()
      await page.getByText(`Batch "${id}" was not found`).first().waitFor()
    })
  })

  test('the images of a large batch are downloaded in parts', async () => {
    const { api, visit } = of()
    const { id: workflowId } = await save(api, cropped)
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId, name: 'Parts' }), 201)
    const headers = { 'content-type': 'text/csv' }
    ok(await api.call('PUT', `/batches/${id}/items`, { body: 'key,left\na,1\nb,2\nc,3\n', headers }))
    ok(await api.post(`/batches/${id}/start`))
    await visit(`/batches/${id}`, async ({ page }) => {
      const parts = [
        { fromRow: 1, toRow: 2 },
        { fromRow: 3, toRow: 3 },
      ]
      // A real one has more than 100,000 images.
      await page.route(`**/v1/batches/${id}/results`, (route) => route.fulfill({ json: { zipParts: parts } }))
      await page.reload()
      await status(page).filter({ hasText: '3 of 3 rows completed' }).waitFor()
      await page.getByRole('button', { name: 'Download' }).click()
      await page.getByText('Images in 2 parts').waitFor()
      assert.equal(await page.getByRole('menuitem', { name: 'Images (ZIP)' }).count(), 0)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Images of rows 1 to 2 (ZIP)' }).click(),
      ])
      assert.equal(download.suggestedFilename(), 'Parts-1-2.zip')
      assert.deepEqual(namesInZip(readFileSync(await download.path())), ['a.png', 'b.png', 'results.csv'])
    })
  })

  test('a batch of many rows has only the visible ones in the page', async () => {
    const { api, visit } = of()
    const { id: workflowId } = await save(api, cropped)
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId, name: 'Many' }), 201)
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i % 30}\n`).join('')
    ok(
      await api.call('PUT', `/batches/${id}/items`, { body: `left\n${rows}`, headers: { 'content-type': 'text/csv' } }),
    )
    await visit('/batches', async ({ page }) => {
      await page.getByRole('link', { name: 'Many' }).click()
      const region = page.getByRole('region', { name: 'Rows' })
      await region.getByRole('button').first().waitFor()
      await page.evaluate(`document.querySelector('[aria-label=Rows]').scrollTo(0, 1e9)`)
      await region.getByRole('button', { name: '20000' }).waitFor()
      const count = await until('some rows', async () => (await region.getByRole('button').count()) || undefined)
      assert.ok(count < 200, `${count} rows are in the page`)
    })
  })
})
