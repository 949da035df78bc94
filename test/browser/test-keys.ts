/** Test keys in the console: how they are created, and how a session with one looks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { canvas } from '../harness/documents.ts'
import { save } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'

consoleTests('test keys in the console', (of) => {
  test('a test key is created with a choice, shown once, and has a badge in the list', async () => {
    const { api, visit } = of()
    await visit('/keys', async ({ page }) => {
      await page.getByRole('button', { name: 'New key' }).click()
      const dialog = page.getByRole('dialog', { name: 'New API key' })
      await dialog.getByLabel('Name').fill('CI')
      await dialog.getByRole('radiogroup', { name: 'Mode' }).getByText('Test').click()
      await dialog.getByText('executions cost nothing').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const shown = page.getByRole('dialog', { name: 'Your new key' })
      const key = await shown.getByRole('textbox').inputValue()
      createdKeys.push(key)
      assert.match(key, /^tt_test_/)
      await shown.getByRole('button', { name: 'Done' }).click()
      const row = page.getByRole('row').filter({ hasText: 'CI' })
      await row.getByText('Test', { exact: true }).waitFor()
      await row.getByText(key.slice(0, 12)).waitFor()
      assert.equal(await page.getByText('Test', { exact: true }).count(), 1)
      ok(await api.as(key).get('/workflows'))
    })
  })

  test('a session with a test key says so on pages and in the editor, in light and dark', async () => {
    const { api, visit } = of()
    const { key } = ok(await api.post<{ key: string }>('/keys', { test: true }), 201)
    createdKeys.push(key)
    const { id } = await save(api, canvas({ width: 300, height: 200 }))
    for (const colorScheme of ['light', 'dark'] as const)
      await visit(
        '/workflows',
        async ({ page }) => {
          await page.getByRole('note').getByText('Test mode').waitFor()
          assert.deepEqual(await seriousViolations(page), [])
        },
        { key, colorScheme },
      )
    await visit(
      `/workflows/${id}`,
      async ({ page }) => {
        await page.getByRole('img', { name: 'Test mode' }).waitFor()
      },
      { key },
    )
    await visit('/workflows', async ({ page }) => {
      await page.getByRole('heading', { name: 'Workflows' }).waitFor()
      assert.equal(await page.getByText('Test mode').count(), 0)
    })
  })
})
