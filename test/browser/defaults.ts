/** Settings without a value show the default that the service uses, and a value can be reset to it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleTests } from './harness/console.ts'
import { card, draftWith, field, newDraft, outputCard, select } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

consoleTests('defaults of settings', (of) => {
  test('an unset setting names its default, and a value can be reset', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Defaults',
      nodes: {
        plain: { type: 'canvas', params: { width: 60, height: 40 } },
        sheet: { type: 'grid', inputs: { images: 'plain' } },
        soft: { type: 'blur', inputs: { image: 'sheet' } },
      },
      output: { node: 'soft', format: 'jpeg' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      await select(page, 'sheet')
      const columns = field(page, 'nodes.sheet.params.columns')
      await columns.getByPlaceholder('Default: equal to the number of rows, or one more').waitFor()
      assert.equal(await columns.getByRole('slider').count(), 0)

      await select(page, outputCard)
      const quality = field(page, 'output.quality')
      const slider = quality.getByRole('slider')
      await quality.getByText('Default: 80', { exact: true }).waitFor()
      assert.equal(await slider.getAttribute('aria-valuenow'), '80')
      await fill(page, 'output.format', 'avif')
      await quality.getByText('Default: 50', { exact: true }).waitFor()
      assert.equal(await slider.getAttribute('aria-valuenow'), '50')

      await fill(page, 'output.quality', 35)
      await quality.getByText(/^Default: /).waitFor({ state: 'detached' })
      await draftWith(api, workflowId, 'a quality', ({ output }) => output?.quality === 35)
      await quality.getByRole('button', { name: 'Reset to the default: Quality' }).click()
      await quality.getByText('Default: 50', { exact: true }).waitFor()
      await quality.locator('input:focus').waitFor()
      await draftWith(api, workflowId, 'no quality', ({ output }) => output?.quality === undefined)

      await fill(page, 'output.format', 'png')
      const lossless = field(page, 'output.lossless')
      await lossless.getByText('Default: on', { exact: true }).waitFor()
      assert.equal(await lossless.getByRole('switch').isChecked(), true)
      await fill(page, 'output.lossless', false)
      await draftWith(api, workflowId, 'a choice', ({ output }) => output?.lossless === false)
      await lossless.getByRole('button', { name: 'Reset to the default: Lossless' }).click()
      await lossless.getByText('Default: on', { exact: true }).waitFor()
      assert.equal(await lossless.getByRole('switch').isChecked(), true)
      await draftWith(api, workflowId, 'no choice', ({ output }) => output?.lossless === undefined)
    })
  })
})
