/** Webhook endpoints and their deliveries in the console. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ok } from '../harness/client.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { until } from '../harness/wait.ts'
import { consoleTests } from './harness/console.ts'

consoleTests('webhooks in the console', (of) => {
  let host: SourceHost
  before(async () => {
    host = await startSourceHost()
  })
  after(() => host.close())

  test('an endpoint is created, tested, disabled and deleted, and a delivery is sent again', async () => {
    const { api, visit } = of()
    const received: string[] = []
    let status = 500
    const url = host.serve('/hook', (request, response) => {
      received.push(String(request.headers['webhook-id']))
      response.writeHead(status).end('no room')
    })
    await visit('/webhooks', async ({ page }) => {
      await page.getByText('No endpoints.').waitFor()
      await page.getByRole('button', { name: 'New endpoint' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill('http://10.0.0.1/hook')
      await dialog.getByText('Selected events').click()
      await dialog.getByRole('button', { name: 'Create endpoint' }).click()
      await dialog.getByText('must start with https://').waitFor()
      await dialog.getByLabel('URL').fill(url)
      await dialog.getByRole('button', { name: 'Create endpoint' }).click()
      await page.getByRole('dialog', { name: 'Secret of the endpoint' }).waitFor()
      const secret = await until('the secret', async () => {
        const value = await page.getByLabel('Secret', { exact: true }).inputValue()
        return value.startsWith('whsec_') ? value : undefined
      })
      await page.getByRole('button', { name: 'Rotate' }).click()
      await page.getByText('The secret was replaced.').waitFor()
      assert.notEqual(await page.getByLabel('Secret', { exact: true }).inputValue(), secret)
      await page.keyboard.press('Escape')

      const actions = page.getByRole('button', { name: `Actions for ${url}` })
      await actions.click()
      await page.getByRole('menuitem', { name: 'Send a test event' }).click()
      const delivery = page.getByRole('dialog', { name: 'webhook.test' })
      await delivery.getByText('no room').waitFor()
      await delivery.getByText('500', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('table', { name: 'Deliveries' }).getByText('Pending').waitFor()

      status = 200
      const { endpoints } = ok(await api.get<{ endpoints: { id: string }[] }>('/webhook-endpoints'))
      const id = endpoints[0]?.id ?? ''
      const sent = ok(await api.post<{ id: string }>(`/webhook-endpoints/${id}/test`), 202)
      await until('the delivery', async () => {
        const { body } = await api.get<{ status: string }>(`/webhook-deliveries/${sent.id}`)
        return body.status === 'delivered' || undefined
      })
      await page.getByLabel('Status').selectOption('delivered')
      // The rows of the previous filter stay until those of the new one are loaded.
      const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row')
      await rows.filter({ hasText: 'Pending' }).first().waitFor({ state: 'detached' })
      await rows.getByRole('button', { name: 'webhook.test' }).first().click()
      await delivery.getByText('Delivered').waitFor()
      const [, deliveryId = ''] = /delivery=(\w+)/.exec(page.url()) ?? []
      const { eventId } = ok(await api.get<{ eventId: string }>(`/webhook-deliveries/${deliveryId}`))
      // Only of this event: the first delivery can also be tried again now.
      const times = () => received.filter((id) => id === eventId).length
      const before = times()
      assert.ok(before > 0)
      await delivery.getByRole('button', { name: 'Send again' }).click()
      await until('the delivery again', async () => times() === before + 1 || undefined)
      await page.keyboard.press('Escape')

      await actions.click()
      await page.getByRole('menuitem', { name: 'Disable' }).click()
      await page.getByText('Disabled', { exact: true }).waitFor()
      await actions.click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No endpoints.').waitFor()
    })
  })

  test('a long URL leaves room for its row, and each delivery shows the URL that it was sent to', async () => {
    const { api, visit } = of()
    const url = host.serve(`/${'long'.repeat(400)}`, (_, response) => response.writeHead(204).end())
    const { id } = ok(await api.post<{ id: string }>('/webhook-endpoints', { url }), 201)
    const sent = ok(await api.post<{ id: string }>(`/webhook-endpoints/${id}/test`), 202)
    await until('the delivery', async () => {
      const { body } = await api.get<{ status: string }>(`/webhook-deliveries/${sent.id}`)
      return body.status === 'delivered' || undefined
    })
    const moved = host.serve('/moved', (_, response) => response.writeHead(204).end())
    await visit('/webhooks', async ({ page }) => {
      const badge = page.getByText('Enabled', { exact: true })
      await badge.waitFor()
      const { height = 999 } = (await page.locator('tr', { has: badge }).boundingBox()) ?? {}
      assert.ok(height < 120, `the row is ${height} px high`)
      const { width = 0 } = (await badge.boundingBox()) ?? {}
      assert.ok(width >= 40, `the state has ${width} px`)
      const isWide = 'document.documentElement.scrollWidth > window.innerWidth'
      assert.equal(await page.evaluate(isWide), false)

      await page.getByRole('button', { name: 'Actions for' }).click()
      await page.getByRole('menuitem', { name: 'Edit…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('URL').fill(moved)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('cell', { name: moved }).first().waitFor()
      const receivers = page.getByRole('table', { name: 'Deliveries' }).locator('[data-label="Receiver"]')
      assert.equal(await receivers.first().textContent(), url)
    })
    ok(await api.delete(`/webhook-endpoints/${id}`))
  })
})
