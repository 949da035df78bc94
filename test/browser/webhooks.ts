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
      await delivery.getByText('500').waitFor()
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
      await page.getByRole('button', { name: 'webhook.test' }).click()
      await delivery.getByText('Delivered').waitFor()
      const before = received.length
      await delivery.getByRole('button', { name: 'Send again' }).click()
      await until('the delivery again', async () => received.length > before || undefined)
      assert.equal(received.at(-1), received.at(-2))
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
})
