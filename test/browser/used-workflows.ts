/** Nodes that use workflows, and workflows with several outputs, in the editor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { save } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, draftWith, inspector, run, runPanel, select } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

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
      await card(page, 'mark').getByText('Badge (badge-of-the-editor@1)').waitFor()
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
      await runPanel(page).getByRole('tab', { name: 'bar' }).click()
      await card(page, 'mark').locator('[class*=names]').dblclick()
      await page.waitForURL((url) => url.pathname.endsWith(used.id))
      await card(page, 'both').waitFor()
    })
  })
})
