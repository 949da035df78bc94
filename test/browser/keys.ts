/** Budgets of API keys in the console. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { consoleTests } from './harness/console.ts'

interface Key {
  id: string
  name: string
  dailyBudgetUsd?: number
  monthlyBudgetUsd?: number
}

consoleTests('API keys in the console', (of) => {
  test('a key is created with a budget, and its name and budgets are changed and removed', async () => {
    const { api, visit } = of()
    const saved = async (name: string) =>
      ok(await api.get<{ keys: Key[] }>('/keys')).keys.find((key) => key.name === name)
    await visit('/keys', async ({ page }) => {
      await page.getByRole('button', { name: 'New key' }).click()
      const dialog = page.getByRole('dialog', { name: 'New API key' })
      await dialog.getByLabel('Name').fill('Agent')
      await dialog.getByLabel('Daily budget').fill('2')
      await dialog.getByRole('button', { name: 'Create key' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /done|close/i })
        .first()
        .click()
      const row = page.getByRole('row').filter({ hasText: 'Agent' })
      await row.getByText('$0 of $2.00 today').waitFor()
      const { dailyBudgetUsd, monthlyBudgetUsd } = (await saved('Agent')) ?? {}
      assert.deepEqual([dailyBudgetUsd, monthlyBudgetUsd], [2, undefined])

      await row.getByRole('button', { name: 'Actions for Agent' }).click()
      await page.getByRole('menuitem', { name: 'Edit…' }).click()
      const edit = page.getByRole('dialog', { name: 'Edit Agent' })
      await edit.getByLabel('Name').fill('Agent of the shop')
      await edit.getByLabel('Monthly budget').fill('30')
      await edit.getByRole('button', { name: 'Save' }).click()
      await row.getByText('$0 of $30.00 this month').waitFor()
      await row.getByText('$0 of $2.00 today').waitFor()

      await row.getByRole('button', { name: 'Actions for Agent of the shop' }).click()
      await page.getByRole('menuitem', { name: 'Edit…' }).click()
      const again = page.getByRole('dialog', { name: 'Edit Agent of the shop' })
      assert.equal(await again.getByLabel('Daily budget').inputValue(), '$2')
      await again.getByLabel('Daily budget').fill('')
      await again.getByLabel('Monthly budget').fill('')
      await again.getByRole('button', { name: 'Save' }).click()
      await row.getByText('No limit').waitFor()
      await until('a key without budgets', async () => {
        const key = await saved('Agent of the shop')
        return (key?.dailyBudgetUsd === undefined && key?.monthlyBudgetUsd === undefined) || undefined
      })
    })
  })
})
