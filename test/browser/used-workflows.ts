/** Nodes that use workflows, and workflows with several outputs, in the editor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { save } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import {
  card,
  choose,
  draftWith,
  field,
  focusCanvas,
  inspector,
  pick,
  run,
  runPanel,
  select,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'
import { connect, dragBehind } from './harness/mouse.ts'

const badge = (height: number): Document & { outputs: object; slug: string } => ({
  name: 'Badge',
  slug: 'badge-of-the-editor',
  parameters: [
    { name: 'photo', type: 'string', format: 'image', required: true },
    { name: 'color', type: 'string', format: 'color', default: 'red' },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    bar: { type: 'canvas', params: { width: 30, height, color: '{{ color }}' } },
    both: { type: 'composite', inputs: { image: 'photo', overlay: 'bar' } },
  },
  output: { node: 'both', format: 'png' },
  outputs: { bar: { node: 'bar', format: 'png' } },
})

consoleTests('workflows in workflows', (of) => {
  test('a node with a workflow shows its settings and its newest version, runs, and opens the workflow', async () => {
    const { api, visit } = of()
    const used = await save(api, badge(10))
    ok(await api.put(`/workflows/${used.id}`, badge(20)))
    const { id } = await save(api, {
      name: 'Using',
      nodes: {
        sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'white' } },
        mark: { type: 'workflow', workflow: 'badge-of-the-editor@1', inputs: { photo: 'sheet' } },
      },
      output: { node: 'mark', format: 'png' },
      outputs: { bar: { node: 'mark.bar', format: 'png' } },
    } as Document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'mark').getByText('Badge · version 1').waitFor()
      await select(page, 'mark')
      await fill(page, 'nodes.mark.params.color', 'blue')
      await inspector(page).getByText('Version 2 is available').waitFor()
      await inspector(page).getByRole('button', { name: 'Use version 2' }).click()
      await draftWith(api, id, 'the new version and the color', ({ nodes }) => {
        const mark = nodes.mark as { workflow?: string; params?: { color?: string } } | undefined
        return mark?.workflow === 'badge-of-the-editor@2' && mark.params?.color === 'blue'
      })
      await inspector(page).getByText('Version 2 is available').waitFor({ state: 'detached' })
      const { outputs } = (await run(page, api)) as { outputs?: { name: string; height: number }[] }
      assert.deepEqual(
        outputs?.map(({ name, height }) => [name, height]),
        [['bar', 20]],
      )
      // The card has the image of the output, which is the photo with the bar.
      const marks = card(page, 'mark').locator('[class*=badges]')
      await marks.getByText('60 × 40').waitFor()
      await card(page, 'mark').locator('img[src*="mark%2Fboth"]').waitFor()
      await run(page, api)
      await marks.getByText('cached').waitFor()
      await runPanel(page).getByText('mark/both').click()
      await page.locator('.react-flow__node.selected[data-id="mark"]').waitFor()
      await runPanel(page).getByRole('tab', { name: 'bar' }).click()
      await card(page, 'mark').locator('[class*=names]').dblclick()
      await page.waitForURL((url) => url.pathname.endsWith(used.id))
      await card(page, 'both').waitFor()
    })
  })

  test('a newer version is compared before the node uses it', async () => {
    const { api, visit } = of()
    const stripe = (width: number) => ({
      name: 'Stripe',
      slug: 'compared-stripe',
      parameters: [{ name: 'color', type: 'string', format: 'color', default: 'red' }],
      nodes: { bar: { type: 'canvas', params: { width, height: 10, color: '{{ color }}' } } },
      output: { node: 'bar', format: 'png' },
      examples: [{ name: 'blue', parameters: { color: 'blue' } }],
    })
    const used = await save(api, stripe(40) as Document)
    ok(await api.put(`/workflows/${used.id}`, stripe(20)))
    const { id } = await save(api, {
      name: 'Striped',
      nodes: {
        sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'white' } },
        stripe: { type: 'workflow', workflow: 'compared-stripe@1', params: { color: 'green' } },
        both: { type: 'composite', inputs: { image: 'sheet', overlay: 'stripe' }, params: { position: 'north-west' } },
      },
      output: { node: 'both', format: 'png' },
      examples: [{ name: 'plain' }],
    } as Document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await select(page, 'stripe')
      await inspector(page).getByRole('button', { name: 'Compare both' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Version 2 of Stripe' })
      await dialog.getByRole('button', { name: 'Compare with the example' }).click()
      // 10 rows of 20 pixels of 60 x 40.
      await dialog.getByText('8.3 % of the pixels').waitFor()
      await dialog.getByRole('button', { name: 'Run both versions' }).click()
      await dialog.getByText('version 1 · 40 × 10').waitFor()
      await dialog.getByText('version 2 · 20 × 10').waitFor()
      await pick(page, dialog.getByRole('combobox', { name: 'Values' }), 'Example blue')
      assert.deepEqual(await seriousViolations(page), [])
      const executions = ok(
        await api.get<{ executions: { parameters: object }[] }>(`/workflows/executions?workflowId=${used.id}`),
      )
      assert.deepEqual(
        executions.executions.map(({ parameters }) => parameters),
        [{ color: 'green' }, { color: 'green' }],
      )
      await dialog.getByRole('button', { name: 'Use version 2' }).click()
      await dialog.waitFor({ state: 'detached' })
      await draftWith(api, id, 'the new version', ({ nodes }) => {
        return (nodes.stripe as { workflow?: string }).workflow === 'compared-stripe@2'
      })
    })
  })

  test('the palette finds the workflows of the account, and adds them in their newest version', async () => {
    const { api, visit } = of()
    const used = await save(api, { ...badge(10), name: 'Ribbon of a product', slug: 'product-ribbon' } as Document)
    ok(await api.put(`/workflows/${used.id}`, { ...badge(20), name: 'Ribbon of a product', slug: undefined }))
    const plain = {
      nodes: { a: { type: 'canvas', params: { width: 9, height: 9 } } },
      output: { node: 'a', format: 'png' },
    }
    for (let i = 1; i <= 24; i += 1) await save(api, { name: `Of the palette ${i}`, ...plain } as Document)
    // It uses the one that is open, so it would be a cycle.
    const { id } = await save(api, {
      name: 'Ribbon sheet',
      nodes: { sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'white' } } },
      output: { node: 'sheet', format: 'png' },
    } as Document)
    await save(api, {
      name: 'Ribbon of a sheet',
      nodes: { sheet: { type: 'workflow', workflow: `${id}@1` } },
      output: { node: 'sheet', format: 'png' },
    } as Document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await select(page, 'sheet')
      await page.keyboard.press('Tab')
      const search = page.getByRole('combobox', { name: 'Add a node' })
      await page.getByText('more workflows: type a part of the name.').waitFor()
      await search.fill('product ribbon')
      await page.getByText('more workflows').waitFor({ state: 'detached' })
      await page.getByRole('option').filter({ hasText: 'Ribbon of a product' }).getByText('Version 2').waitFor()
      assert.equal(await page.getByRole('option', { name: /Ribbon (of a )?sheet/ }).count(), 0)
      assert.deepEqual(await seriousViolations(page), [])
      const moved = Promise.withResolvers<void>()
      await page.route('**/v1/workflows/product-ribbon/document*', async (route) => {
        await moved.promise
        return route.continue()
      })
      await search.press('Enter')
      // A field that gets the focus while the workflow is loaded keeps it.
      const name = page.getByRole('textbox', { name: 'Name of the workflow' })
      await name.focus()
      moved.resolve()
      await card(page, 'product-ribbon').getByText('Ribbon of a product · version 2').waitFor()
      await field(page, 'nodes.product-ribbon.params.color').waitFor()
      const { nodes } = await draftWith(api, id, 'the node', (draft) => 'product-ribbon' in draft.nodes)
      const node = nodes['product-ribbon'] as { workflow?: string; inputs?: object } | undefined
      assert.deepEqual([node?.workflow, node?.inputs], ['product-ribbon@2', { photo: 'sheet' }])
      await name.and(page.locator(':focus')).waitFor()
    })
  })

  test('a wire starts at a named output, with the mouse and with the keyboard', async () => {
    const { api, visit } = of()
    await save(api, { ...badge(10), slug: 'badge-with-outputs' } as Document)
    const blank = { width: 60, height: 40, color: 'white' }
    const { id } = await save(api, {
      name: 'Named outputs',
      nodes: {
        sheet: { type: 'canvas', params: blank },
        mark: { type: 'workflow', workflow: 'badge-with-outputs@1', inputs: { photo: 'sheet' } },
        both: { type: 'composite', inputs: { image: 'mark', overlay: 'sheet' } },
        small: { type: 'resize', inputs: { image: 'both' }, params: { width: 30, height: 20 } },
      },
      output: { node: 'small', format: 'png' },
    } as Document)
    const inputOf = (node: string, socket: string, source: string) =>
      draftWith(api, id, `${source} at ${socket} of ${node}`, ({ nodes }) => {
        const { inputs } = (nodes[node] ?? {}) as { inputs?: Record<string, unknown> }
        return inputs?.[socket] === source
      })
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'mark').getByText('bar', { exact: true }).waitFor()
      await connect(page, 'mark', 'both', 'overlay', 'output.bar')
      await inputOf('both', 'overlay', 'mark.bar')
      await page.getByLabel('Wire from mark.bar to overlay of both').waitFor()
      await select(page, 'mark')
      await page.keyboard.press('c')
      const search = page.getByRole('combobox', { name: 'Connect mark to' })
      await search.fill('mark.bar small')
      await page.getByRole('option', { name: 'mark.bar → small · image' }).waitFor()
      await search.press('Enter')
      await inputOf('small', 'image', 'mark.bar')
      await select(page, 'small')
      await inspector(page).getByRole('combobox', { name: 'image', exact: true }).click()
      await page.getByRole('option', { name: 'both' }).waitFor()
      assert.deepEqual(await page.getByRole('option').allTextContents(), ['mark.bar', 'sheet', 'mark', 'both'])
      await page.keyboard.press('Escape')
      await dragBehind(page, 'mark', 'output.bar')
      await page.getByText('Add after mark.bar').waitFor()
      await choose(page, 'Blur')
      await inputOf('blur', 'image', 'mark.bar')
      assert.deepEqual(await seriousViolations(page), [])
      await run(page, api)
    })
  })

  test('selected nodes are turned into a workflow with the keyboard, run the same and can be undone', async () => {
    const { api, visit } = of()
    await save(api, { ...badge(10), name: 'Other', slug: 'price-badge' } as Document)
    const { id } = await save(api, {
      name: 'Poster',
      parameters: [{ name: 'color', type: 'string', format: 'color', default: 'green' }],
      nodes: {
        sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'white' } },
        bar: { type: 'canvas', params: { width: 30, height: 10, color: '{{ color }}' } },
        both: { type: 'composite', inputs: { image: 'sheet', overlay: 'bar' } },
        small: { type: 'resize', inputs: { image: 'both' }, params: { width: 30, height: 20 } },
      },
      output: { node: 'small', format: 'png' },
      outputs: { bar: { node: 'bar', format: 'png' } },
    } as Document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      const dialog = page.getByRole('dialog', { name: 'Turn into a workflow' })
      await card(page, 'small').waitFor()
      const before = await run(page, api)
      // A selection that can't be a workflow gets the reason.
      await chosen(page, 'bar', 'small')
      await page.keyboard.press('w')
      await dialog.getByText('both is between selected nodes').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await chosen(page, 'bar', 'both')
      await inspector(page).getByRole('button', { name: 'Turn into a workflow…' }).press('Enter')
      await dialog.getByText('3 nodes, 2 parameters, 2 outputs').waitFor()
      await dialog.locator('input:focus').waitFor()
      await page.keyboard.type('Price badge')
      assert.deepEqual(await seriousViolations(page), [])
      await page.keyboard.press('Enter')
      await dialog.getByText('is the slug of workflow').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await dialog.getByLabel('Slug').fill('price-badge-2')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await card(page, 'price-badge-2').and(page.locator(':focus')).waitFor()
      await field(page, 'nodes.price-badge-2.params.color').waitFor()
      const { nodes, output } = await draftWith(api, id, 'the node', (draft) => 'price-badge-2' in draft.nodes)
      assert.deepEqual(Object.keys(nodes), ['sheet', 'small', 'price-badge-2'])
      assert.equal(output?.node, 'small')
      const after = await run(page, api)
      const { steps } = ok(
        await api.get<{ steps: { node: string; servedFrom?: string }[] }>(
          `/workflows/executions/${after.executionId}/steps`,
        ),
      )
      // Nothing runs again: the results are those of the nodes before.
      assert.deepEqual(steps.map(({ node, servedFrom }) => `${node} ${servedFrom}`).sort(), [
        'price-badge-2/bar cache',
        'price-badge-2/both cache',
        'sheet cache',
        'small cache',
      ])
      assert.deepEqual([after.output?.width, after.output?.height], [before.output?.width, before.output?.height])
      const made = ok(await api.get<{ name: string; version: number }>('/workflows/price-badge-2'))
      assert.deepEqual([made.name, made.version], ['Price badge', 1])
      await focusCanvas(page)
      await page.keyboard.press('Control+z')
      await card(page, 'both').waitFor()
      await draftWith(api, id, 'the nodes again', (draft) => !('price-badge-2' in draft.nodes) && 'bar' in draft.nodes)
      // The workflow stays, and can be deleted from here; after Redo the node needs it.
      const remove = page.getByRole('button', { name: 'Delete Price badge' })
      await remove.waitFor()
      await focusCanvas(page)
      await page.keyboard.press('Control+Shift+z')
      await card(page, 'price-badge-2').waitFor()
      await remove.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+z')
      await remove.waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await remove.press('Enter')
      await page.getByText('Price badge was deleted.').waitFor()
      refused(await api.get('/workflows/price-badge-2'), 'not_found')
    })
  })
})

/** Selects two cards. */
async function chosen(page: Page, first: string, second: string): Promise<void> {
  await focusCanvas(page)
  await page.keyboard.press('Escape')
  await select(page, first)
  await card(page, second)
    .locator('[class*=names]')
    .click({ modifiers: ['Control'] })
  await inspector(page).getByText('2 selected').waitFor()
}
