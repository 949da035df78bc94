/** The gallery of a new installation, in the browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import type { Execution, Workflows } from '../harness/types.ts'
import { consoleTests, ownConsole } from './harness/console.ts'

consoleTests('the first screen', () => {
  test('shows the image of each example without an execution, and a welcome until something has run', async (t) => {
    const { api, visit } = await ownConsole(t)
    const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
    const welcome = 'Welcome to Tintype. Open an example and run it, or start from a template.'
    await visit('/workflows', async ({ page }) => {
      const cards = page.getByRole('article')
      await page.getByText(welcome).waitFor()
      for (const { name } of workflows) {
        const image = cards.filter({ has: page.getByRole('link', { name, exact: true }) }).locator('img')
        await image.scrollIntoViewIfNeeded()
        await image.evaluate((each) => (each as unknown as { decode(): Promise<void> }).decode())
      }
      assert.ok(workflows.length > 10)
      const { executions } = ok(await api.get<{ executions: unknown[] }>('/workflows/executions'))
      assert.deepEqual(executions, [])
    })
    const example = workflows.find(({ name }) => name === 'Quote card') ?? assert.fail()
    ok(await api.post<Execution>('/workflows/execute', { workflowId: example.id, parameters: {} }))
    await visit('/workflows', async ({ page }) => {
      await page.getByRole('link', { name: example.name, exact: true }).waitFor()
      assert.equal(await page.getByText(welcome).count(), 0)
    })
  })
})
