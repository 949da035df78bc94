/** The values of the run form: typed ones are never lost, and deleted images don't stay in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import { newAccount } from '../harness/shared.ts'
import { until } from '../harness/wait.ts'
import { upload } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, field, focusCanvas, newDraft, run, runPanel } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

const sheet = {
  name: 'Sized',
  parameters: [
    { name: 'width', type: 'number', default: 20 },
    { name: 'color', type: 'string', default: 'red' },
  ],
  nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 10, color: '{{ color }}' } } },
  output: { node: 'sheet', format: 'png' },
}

consoleTests('values of the run form', (of) => {
  const showPanel = (page: Page) => runPanel(page).getByRole('button', { name: 'Show the run panel' }).click()
  const hidePanel = (page: Page) => runPanel(page).getByRole('button', { name: 'Hide the run panel' }).click()
  const openTab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Workflow', exact: true }).getByRole('link', { name, exact: true }).click()
  const waitForValue = (page: Page, name: string, value: string) =>
    until(`${value} in ${name}`, async () => {
      const input = field(page, `parameters.${name}`).getByRole('textbox').first()
      return (await input.inputValue()) === value || undefined
    })
  const stored = (page: Page) => page.evaluate('JSON.stringify(sessionStorage)')

  test('typed values survive a closed panel, the other tabs, a reload and another page, and are sent', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheet)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      await showPanel(page)
      await fill(page, 'parameters.width', 33)
      await hidePanel(page)
      await showPanel(page)
      await waitForValue(page, 'width', '33')

      await openTab(page, 'Versions')
      await openTab(page, 'Run')
      await waitForValue(page, 'width', '33')
      await fill(page, 'parameters.width', 44)
      await openTab(page, 'API')
      await waitForValue(page, 'width', '44')
      await page.reload()
      await waitForValue(page, 'width', '44')
      await page.getByRole('link', { name: 'All workflows' }).click()
      await page.getByRole('link', { name: 'Sized', exact: true }).first().click()
      await card(page, 'sheet').waitFor()
      await showPanel(page)
      await waitForValue(page, 'width', '44')
      await focusCanvas(page)
      assert.equal((await run(page, api)).output?.width, 44)

      // The last run of the draft doesn't replace values that were typed after it.
      await fill(page, 'parameters.width', 55)
      await page.reload()
      await card(page, 'sheet').waitFor()
      await showPanel(page)
      await waitForValue(page, 'width', '55')
      await runPanel(page)
        .getByText(/^Run of .*Done in/)
        .waitFor()
      await waitForValue(page, 'width', '55')
    })
  })

  test('they are removed when the person signs out, and when another account signs in', async () => {
    const { api, visit, service, key } = of()
    const other = await newAccount({ service })
    const workflowId = await newDraft(api, sheet)
    await visit(`/workflows/${workflowId}/run`, async ({ page, context }) => {
      const isStored = async () => String(await stored(page)).includes('rebeccapurple')
      const type = async () => {
        await fill(page, 'parameters.color', 'rebeccapurple')
        await until('the stored value', async () => (await isStored()) || undefined)
      }
      // Without `input`, the link to the page of API keys is found, too, until the page changes.
      const apiKey = page.locator('input').and(page.getByLabel('API key'))
      const signIn = async (as: string) => {
        await apiKey.fill(as)
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: 'Sign out' }).waitFor()
      }
      await type()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await apiKey.waitFor()
      assert.equal(await isStored(), false)

      await signIn(key)
      await page.goto(`/workflows/${workflowId}/run`)
      await type()
      // The session ends, and the same person signs in again: the values are still there.
      for (const [as, expected] of [
        [key, true],
        [other.api.key ?? '', false],
      ] as const) {
        await context.request.delete('/v1/session', { headers: { 'sec-fetch-site': 'same-origin' } })
        await page.goto('/workflows')
        await signIn(as)
        assert.equal(await isStored(), expected)
      }
    })
  })

  test('an image that was deleted is not filled in again', async () => {
    const { api, visit } = of()
    const [remaining, deleted] = [
      await upload(api, await plain('png'), 'kept.png'),
      await upload(api, await plain('png')),
    ]
    const workflowId = await newDraft(api, {
      name: 'Photos',
      parameters: [
        { name: 'photo', type: 'string' },
        { name: 'logo', type: 'string' },
      ],
      nodes: {
        photo: { type: 'image', params: { source: '{{ photo }}' } },
        logo: { type: 'image', params: { source: '{{ logo }}' } },
        both: { type: 'overlay', inputs: { image: 'photo', overlay: 'logo' } },
      },
      output: { node: 'both', format: 'png' },
    })
    // The form may still load the deleted image, or its thumbnail, before the reload.
    const expected = [new RegExp(`finds nothing: .*/${deleted.id}`), /Failed to load resource/]
    await visit(
      `/workflows/${workflowId}/run`,
      async ({ page }) => {
        await fill(page, 'parameters.photo', remaining.id)
        await fill(page, 'parameters.logo', deleted.id)
        await until('the stored value', async () => String(await stored(page)).includes(deleted.id) || undefined)
        ok(await api.delete(`/storage/images/${deleted.id}`))
        await page.reload()
        await field(page, 'parameters.logo').getByText('Drop, paste or choose an image').waitFor()
        await field(page, 'parameters.photo')
          .getByText(/^kept\.png · /)
          .waitFor()
      },
      { expected },
    )
  })
})
