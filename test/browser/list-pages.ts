/** Lists of the console that are turned by cursor. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { canvas } from '../harness/documents.ts'
import { save } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'

consoleTests('lists with pages in the console', (of) => {
  let workflowId: string
  before(async () => {
    workflowId = (await save(of().api, canvas())).id
    for (let count = 0; count < 55; count++) ok(await of().api.post('/workflows/execute', { workflowId }))
  })
  const links = (page: Page) =>
    page.evaluate<string[]>(
      `[...new Set([...document.querySelectorAll('a[href^="/executions/"]')].map((each) => each.getAttribute('href')))]`,
    )
  const turn = async (page: Page, name: 'Newer' | 'Older') => {
    const [first] = await links(page)
    await page.getByRole('button', { name }).click()
    await page.locator(`a[href="${first}"]`).first().waitFor({ state: 'detached' })
    return links(page)
  }

  test('the pages of executions have each execution once, while others start, and a URL leads back to its page', async () => {
    const { api, visit } = of()
    await visit('/executions', async ({ page }) => {
      await page.getByRole('button', { name: 'Older' }).waitFor()
      const first = await links(page)
      ok(await api.post('/workflows/execute', { workflowId }))
      const second = await turn(page, 'Older')
      const third = await turn(page, 'Older')
      assert.equal(new Set([...first, ...second, ...third]).size, first.length + second.length + third.length)
      assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled())
      assert.deepEqual(await turn(page, 'Newer'), second)

      await page.reload()
      await page.locator(`a[href="${second[0]}"]`).first().waitFor()
      await turn(page, 'Newer')
      assert.ok(await page.getByRole('button', { name: 'Newer' }).isDisabled())
      assert.doesNotMatch(page.url(), /cursor/)
    })
  })

  test('a page of a range of time is the same after a reload', async () => {
    await of().visit('/executions?range=day', async ({ page }) => {
      await page.getByRole('button', { name: 'Older' }).waitFor()
      const second = await turn(page, 'Older')
      await page.reload()
      await page.locator(`a[href="${second[0]}"]`).first().waitFor()
      assert.deepEqual(await links(page), second)
    })
  })

  test('the audit log turns its pages', async () => {
    const { api, visit } = of()
    for (let count = 0; count < 55; count++) ok(await api.post('/projects', { name: `Project ${count}` }), 201)
    await visit('/audit', async ({ page }) => {
      const rows = page.getByRole('table', { name: 'Audit log' })
      await rows.getByText('name: Project 54').waitFor()
      await page.getByRole('button', { name: 'Older' }).click()
      await rows.getByText('name: Project 0', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Newer' }).click()
      await rows.getByText('name: Project 54').waitFor()
    })
  })
})
