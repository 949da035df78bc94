/** A failed execution is repaired on the stage. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { ok, refused } from '../harness/client.ts'
import { save, upload } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, draftWith, field, runPanel, waitUntilRunnable } from './harness/editor.ts'

consoleTests('repairs', (of) => {
  test('a crop that is outside of a smaller photo is dragged on that photo, from the failed execution to the next version', async () => {
    const { api, visit } = of()
    const photo = async (width: number, height: number) =>
      upload(
        api,
        await sharp({ create: { width, height, channels: 3, background: '#22577a' } })
          .png()
          .toBuffer(),
        `${width}.png`,
      )
    const [large, small] = [await photo(900, 600), await photo(500, 300)]
    const { id } = await save(api, {
      name: 'Portrait',
      parameters: [{ name: 'photo', type: 'string', format: 'image', default: large.id }],
      nodes: {
        load: { type: 'image', params: { source: '{{ photo }}' } },
        face: { type: 'crop', inputs: { image: 'load' }, params: { x: 350, y: 100, width: 400, height: 400 } },
      },
      output: { node: 'face', format: 'png' },
    })
    const failed = await api.post<{ error: { details: { executionId: string } } }>('/workflows/execute', {
      workflowId: id,
      parameters: { photo: small.id },
    })
    refused(failed, 'workflow_failed')
    await visit(
      `/executions/${failed.body.error.details.executionId}`,
      async ({ page }) => {
        await page.getByRole('link', { name: 'Open face in the editor' }).click()
        await page.getByRole('button', { name: 'Edit as a draft' }).click()
        await field(page, 'nodes.face.params.x').locator(':focus').waitFor()
        await card(page, 'face').locator('[data-picture]').dblclick()
        // The part of the rectangle that is inside, on the photo that was passed.
        const move = page.locator('[data-frame=crop] [data-grip=move]')
        await page.locator('[data-frame=crop] [data-grip=nw][aria-valuetext^="Width 150, height 200"]').waitFor()
        await page.locator('[data-stage] img[alt^="Result of"]').waitFor()
        const box = (await move.boundingBox()) ?? assert.fail()
        const scale = box.width / 150
        await page.keyboard.down('Control')
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
        await page.mouse.down()
        await page.mouse.move(box.x + box.width / 2 - 50 * scale, box.y + box.height / 2 - 40 * scale)
        await page.mouse.up()
        await page.keyboard.up('Control')
        const { nodes } = await draftWith(api, id, 'a crop inside', (draft) => draft.nodes.face?.params?.x === 300)
        assert.deepEqual(nodes.face?.params, { x: 300, y: 60, width: 150, height: 200 })
        await runPanel(page).getByRole('button', { name: 'Run', exact: true }).click()
        await runPanel(page)
          .getByText(/^Done in/)
          .waitFor()
        await waitUntilRunnable(page)
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
        await page.getByText('Version 2', { exact: true }).waitFor()
      },
      { expected: [/400/] },
    )
    ok(await api.post('/workflows/execute', { workflowId: id, parameters: { photo: small.id } }))
  })
})
