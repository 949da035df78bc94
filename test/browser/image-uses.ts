/** Images that workflows use are not deleted without a warning. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { card, focusCanvas, newDraft, run, waitUntilLoaded } from './harness/editor.ts'

consoleTests('images that are used', (of) => {
  test('a brand whose logo is the image is named before the image is deleted', async () => {
    const { api, visit } = of()
    const { id } = await upload(api, await plain('png'), 'logo.png')
    ok(await api.put('/brand', { values: { logo: { type: 'image', value: id } } }))
    await visit('/storage', async ({ page }) => {
      await page.getByRole('button', { name: 'Open logo.png' }).click()
      await page.getByRole('dialog', { name: 'logo.png' }).getByRole('button', { name: 'Delete' }).click()
      const warning = page.getByRole('dialog', { name: 'Brands use this image' })
      await warning.getByText('Brand of the account (logo)').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await warning.getByRole('link', { name: 'Brand of the account' }).click()
      await page.getByRole('heading', { name: 'Brand', exact: true }).waitFor()
    })
  })

  test('an image that is restored from the bin in another window is found after a run', async () => {
    const { api, visit } = of()
    const { id } = await upload(api, await plain('png'), 'binned.png')
    const workflowId = await newDraft(api, {
      name: 'Binned',
      nodes: { photo: { type: 'image', params: { source: id } } },
      output: { node: 'photo', format: 'png' },
    })
    ok(await api.delete(`/storage/images/${id}?bin=true`))
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await card(page, 'photo').getByText('Restore it from the bin').waitFor()
        ok(await api.post('/storage/bin/restore', { ids: [id] }))
        await focusCanvas(page)
        await run(page, api)
        await waitUntilLoaded(card(page, 'photo').locator('img'))
      },
      { expected: [/404/] },
    )
  })

  test('the workflows that use an image are shown before it is deleted, and it can be kept', async () => {
    const { api, visit } = of()
    const used = await upload(api, await plain('png'), 'used.png')
    const other = await upload(api, await plain('png'), 'other.png')
    const naming = (name: string) => ({
      name,
      nodes: { photo: { type: 'image', params: { source: used.id } } },
      output: { node: 'photo', format: 'png' },
    })
    const published = await save(api, naming('Shop banner'))
    ok(await api.put(`/workflows/${published.id}/draft`, { document: naming('Shop banner') }), 201)
    const workflowId = await newDraft(api, naming('Unfinished'))
    const status = async (id: string) => (await api.get(`/storage/images/${id}`)).status
    await visit('/storage', async ({ page }) => {
      const image = page.getByRole('button', { name: 'Open used.png' })
      await image.click()
      await page.getByRole('dialog', { name: 'used.png' }).getByRole('button', { name: 'Delete' }).click()
      const warning = page.getByRole('dialog', { name: 'Workflows use this image' })
      await warning.waitFor()
      assert.deepEqual(await warning.getByRole('listitem').allTextContents(), [
        'Shop banner (version 1 and draft)',
        'Unfinished (draft)',
      ])
      assert.deepEqual(await seriousViolations(page), [])
      await warning.getByRole('button', { name: 'Keep the image' }).click()
      await warning.waitFor({ state: 'detached' })
      await image.waitFor()
      assert.equal(await status(used.id), 200)

      // Of several images, the unused ones can be deleted.
      for (const name of ['used.png', 'other.png']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await page.getByRole('button', { name: 'Delete 2' }).click()
      const both = page.getByRole('dialog', { name: 'Workflows use 1 of 2 images' })
      await both.getByRole('region', { name: 'used.png' }).getByText('Unfinished').waitFor()
      await both.getByRole('button', { name: 'Delete 1 unused image' }).click()
      await page.getByRole('button', { name: 'Open other.png' }).waitFor({ state: 'detached' })
      await image.waitFor()

      await image.click()
      await page.getByRole('dialog', { name: 'used.png' }).getByRole('button', { name: 'Delete' }).click()
      await warning.getByRole('link', { name: 'Unfinished' }).click()
      await page.waitForURL(`**/workflows/${workflowId}`)
      await card(page, 'photo').waitFor()
      await until('the unused image to be gone', async () => (await status(other.id)) === 404 || undefined)
      assert.equal(await status(used.id), 200)
      await page.goBack()
      await image.click()
      await page.getByRole('dialog', { name: 'used.png' }).getByRole('button', { name: 'Delete' }).click()
      await warning.getByRole('button', { name: 'Delete anyway' }).click()
      await image.waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Brand', exact: true }).click()
      await until('the image to be gone', async () => (await status(used.id)) === 404 || undefined)
    })
  })
})
