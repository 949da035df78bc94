/** Signing keys in the console. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok, refused } from '../harness/client.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { deliver, deliveryUrl, type NewSigningKey } from '../harness/signed-urls.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'

consoleTests('signing keys in the console', (of) => {
  test('a key is created and shown once, signs its workflow, is rotated and revoked', async () => {
    const { api, visit } = of()
    const [signed, other] = [await save(api, card('Signed card')), await save(api, card('Other card'))]
    const get = (key: Key, id: string) => deliver(api, deliveryUrl(key, `${id}.png`))
    await visit('/keys', async ({ page }) => {
      await page.getByText('No signing keys.').waitFor()
      await page.getByRole('button', { name: 'New signing key' }).click()
      const dialog = page.getByRole('dialog', { name: 'New signing key' })
      await dialog.getByLabel('Name').fill('Website')
      await dialog.getByText('Selected workflows').click()
      await dialog.getByRole('combobox', { name: 'Workflows' }).fill('Signed')
      await page.getByRole('option', { name: 'Signed card' }).click()
      assert.equal(await dialog.getByLabel('All images').isChecked(), false)
      await dialog.getByLabel('Monthly budget').fill('5')
      await dialog.getByRole('button', { name: 'Create signing key' }).click()
      const first = await shownKey(page)
      const row = page.getByRole('row').filter({ hasText: 'Website' })
      await row.getByText('1 workflow', { exact: true }).waitFor()
      await row.getByText('$0 of $5.00 spent').waitFor()
      await row.getByText('Never').first().waitFor()
      assert.ok(!(await page.content()).includes(first.secret))
      ok(await get(first, signed.id))
      refused(await get(first, other.id), 'forbidden')
      // Written after the response.
      await until('the last use', async () => {
        const { signingKeys } = ok(await api.get<{ signingKeys: { lastUsedAt?: string }[] }>('/signing-keys'))
        return signingKeys[0]?.lastUsedAt
      })
      await page.reload()
      await row
        .getByRole('cell')
        .nth(3)
        .getByText(/now|ago|second/)
        .waitFor()

      await row.getByRole('button', { name: 'Actions for Website' }).click()
      await page.getByRole('menuitem', { name: 'Rotate…' }).click()
      await page.getByLabel('The old key').selectOption('Expires immediately')
      await page.getByRole('button', { name: 'Rotate' }).click()
      const second = await shownKey(page)
      refused(await get(first, signed.id), 'forbidden')
      ok(await get(second, signed.id))
      // The row of the old key stays until the list is loaded again.
      await row.filter({ hasText: second.id }).waitFor()

      await page.getByRole('button', { name: 'Actions for Website' }).click()
      await page.getByRole('menuitem', { name: 'Revoke…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('No signing keys.').waitFor()
      refused(await get(second, signed.id), 'forbidden')
      await page.getByRole('switch').focus()
      await page.keyboard.press('Space')
      await row.filter({ hasText: 'revoked' }).nth(1).waitFor()
    })
  })
})

type Key = Pick<NewSigningKey, 'id' | 'secret'>

function card(name: string): Document {
  return { ...canvas(), name, delivery: {} } as Document
}

/** Closes the dialog that shows a new key. */
async function shownKey(page: Page): Promise<Key> {
  const dialog = page.getByRole('dialog', { name: 'Your new signing key' })
  const secret = await dialog.getByRole('textbox').inputValue()
  const id = (await dialog.locator('code').textContent())?.replace('kid=', '') ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return { id, secret }
}
