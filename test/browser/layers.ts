/** Layers: nodes and files that are added while the stage shows a picture. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { consoleTests } from './harness/console.ts'
import { card, choose, type DraftDocument, draftWith, field, inspector, newDraft, select } from './harness/editor.ts'
import { drop, transferOf } from './harness/files.ts'

const draft: DraftDocument = {
  name: 'Layers',
  nodes: {
    sheet: { type: 'canvas', params: { width: 600, height: 400, color: '#22577a' } },
    title: { type: 'text', inputs: { image: 'sheet' }, params: { text: 'Layers', size: 40 } },
  },
  output: { node: 'title', format: 'png' },
}

consoleTests('layers on the stage', (of) => {
  test('a new node continues the picture, and the stage stays open for its handles', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, draft)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'sheet')
      // Closed without a choice, the keys are for the stage again.
      await page.keyboard.press('a')
      await page.getByRole('combobox', { name: 'Add a node' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('[data-stage] :focus').waitFor()
      // A source would be alone, so it is placed over the picture. A gradient darkens it, and is as large.
      await page.keyboard.press('a')
      await choose(page, 'Gradient')
      await currentStep(page, 'composite')
      const shaded = await draftWith(api, workflowId, 'a gradient', ({ nodes }) => nodes.gradient !== undefined)
      assert.deepEqual(shaded.nodes.composite?.inputs, { image: 'sheet', overlay: 'gradient' })
      assert.deepEqual(shaded.nodes.title?.inputs, { image: 'composite' })
      assert.deepEqual(shaded.nodes.gradient?.params, { width: 600, height: 400, from: '#0000', to: '#000b' })
      // Both nodes are one step of the history.
      await page.keyboard.press('Control+z')
      await draftWith(api, workflowId, 'two nodes', ({ nodes }) => Object.keys(nodes).length === 2)
      // The stage shows the node before again. An operation with an input is inserted.
      await currentStep(page, 'sheet')
      await page.getByRole('button', { name: 'Add a node after this one (A)' }).click()
      await choose(page, 'Blur')
      await currentStep(page, 'blur')
      const blurred = await draftWith(api, workflowId, 'a blur', ({ nodes }) => nodes.blur !== undefined)
      assert.deepEqual(blurred.nodes.title?.inputs, { image: 'blur' })
    })
  })

  test('an image that is dropped on the stage is an overlay with handles', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, draft)
    const bytes = await sharp({ create: { width: 480, height: 360, channels: 3, background: 'gold' } })
      .png()
      .toBuffer()
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await openStage(page, 'title')
      await drop(
        page.getByLabel('Picture of title'),
        await transferOf(page, [{ name: 'Logo.png', type: 'image/png', bytes }]),
      )
      await currentStep(page, 'composite')
      await page.locator('[data-frame=overlay] [data-grip=move]').waitFor({ state: 'attached' })
      const { nodes, output } = await draftWith(api, workflowId, 'an overlay', (now) => now.nodes.logo !== undefined)
      assert.deepEqual(nodes.composite?.inputs, { image: 'title', overlay: 'logo' })
      // It is larger than half of the picture, so it starts with a quarter of the width.
      assert.deepEqual(nodes.composite?.params, { width: 150 })
      assert.equal(output?.node, 'composite')
    })
  })

  test('white and black are colours to click in a new document', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, draft)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'title').waitFor()
      await select(page, 'title')
      await field(page, 'nodes.title.params.color')
        .getByRole('button', { name: /^Choose a colour/ })
        .click()
      await page.locator('.mantine-ColorPicker-swatch').first().click()
      const white = ({ nodes }: DraftDocument) => nodes.title?.params?.color === '#ffffff'
      await draftWith(api, workflowId, 'a white text', white)
    })
  })
})

async function openStage(page: Page, id: string): Promise<void> {
  await card(page, id).waitFor()
  await select(page, id)
  await page.keyboard.press('Enter')
  await page.locator('[data-stage]').waitFor()
}

async function currentStep(page: Page, id: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Steps' })
    .locator('[aria-current]')
    .getByText(id, { exact: true })
    .waitFor()
  await inspector(page)
    .getByRole('heading', { name: `Node ${id}` })
    .waitFor({ state: 'attached' })
}
