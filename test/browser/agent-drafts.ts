/** The page where a person looks at the draft of an agent, compares it and publishes it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import { answer, connectMcp } from '../harness/mcp.ts'
import { consoleTests } from './harness/console.ts'

const sheet = (color: string) => ({
  name: 'Sheet of an agent',
  parameters: [{ name: 'width', type: 'number', default: 60 }],
  nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 40, color } } },
  output: { node: 'sheet', format: 'png' },
  examples: [{ name: 'wide', parameters: { width: 90 } }],
})

consoleTests('drafts of agents', (of) => {
  test('reviewUrl of save_draft opens the comparison with the published version, and a person publishes there', async () => {
    const { api, visit } = of()
    const client = await connectMcp(api.service, api.key ?? '')
    try {
      type Saved = { workflowId: string; reviewUrl: string }
      const first = await answer<Saved>(client, 'save_draft', { document: sheet('red') })
      const pathOf = (url: string) => {
        const { origin, pathname, search } = new URL(url)
        assert.equal(origin, api.service.origin)
        return `${pathname}${search}`
      }
      await visit(pathOf(first.reviewUrl), async ({ page }) => {
        await page.getByText('Not published yet.').waitFor()
        await page.getByRole('button', { name: 'Publish' }).first().click()
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: /^Publish/ }).click()
        await page
          .getByText(/version 1/i)
          .first()
          .waitFor()
      })
      const { version } = ok(await api.get<{ version: number }>(`/workflows/${first.workflowId}`))
      assert.equal(version, 1)

      const { workflowId } = first
      const second = await answer<Saved>(client, 'save_draft', { workflow: workflowId, document: sheet('navy') })
      const compared = await answer<Saved>(client, 'compare_draft', { workflow: workflowId })
      assert.equal(compared.reviewUrl, second.reviewUrl)
      await visit(pathOf(second.reviewUrl), async ({ page }) => {
        const comparison = page.getByRole('region', { name: 'Comparison' })
        await comparison.getByText('The draft', { exact: true }).waitFor()
        assert.equal(await comparison.getByLabel('Compared with').first().inputValue(), 'version 1')
        await comparison.getByText('navy').first().waitFor()
        await comparison.getByText('red').first().waitFor()
      })
    } finally {
      await client.close()
    }
  })
})
