/** Typed changes survive a reload, another tab, the end of the session and a crash of the service. Versions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { consoleTests, ownConsole } from './harness/console.ts'
import {
  card,
  type DraftDocument,
  draftWith,
  field,
  focusCanvas,
  inspector,
  newDraft,
  outputCard,
  run,
  select,
  storedDraft,
  waitUntilSaved,
  waitUntilStill,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'

function sheet(color = 'red'): DraftDocument {
  return {
    name: 'Sheet',
    nodes: { sheet: { type: 'canvas', params: { width: 60, height: 40, color } } },
    output: { node: 'sheet', format: 'png' },
  }
}

const colorOf = ({ nodes }: DraftDocument) => nodes.sheet?.params?.color

consoleTests('drafts and versions', (of) => {
  test('changes survive a reload, whether they are saved yet or not', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheet())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await paint(page, 'green')
      await waitUntilSaved(page)
      await page.reload()
      await select(page, 'sheet')
      await waitForColor(page, 'green')
      await paint(page, 'navy')
      // Immediately, before the delayed save.
      await page.reload()
      await draftWith(api, workflowId, 'the last change', (document) => colorOf(document) === 'navy')
    })
  })

  test('two tabs with the same draft do not overwrite each other without asking', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheet())
    await visit(`/workflows/${workflowId}`, async ({ page, context }) => {
      // It must have the draft before the other tab saves.
      await card(page, 'sheet').waitFor()
      const other = await context.newPage()
      await other.goto(`/workflows/${workflowId}`)
      await paint(other, 'olive')
      await waitUntilSaved(other)
      await paint(page, 'green')
      await page.getByText('This draft was changed in another place').waitFor()
      assert.equal(colorOf(await storedDraft(api, workflowId)), 'olive')
      await page.getByRole('button', { name: 'Keep mine' }).click()
      await waitUntilSaved(page)
      assert.equal(colorOf(await storedDraft(api, workflowId)), 'green')
      await paint(other, 'black')
      await other.getByRole('button', { name: 'Load theirs' }).click()
      await waitForColor(other, 'green')
      await waitUntilSaved(other)
      assert.equal(colorOf(await storedDraft(api, workflowId)), 'green')
    })
  })

  test('publishing creates a version, shows its changes, and an old version can be restored', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, { ...sheet(), name: 'Untitled' })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = page.getByRole('dialog')
      const name = dialog.getByRole('textbox', { name: 'Name of the workflow' })
      await name.and(page.locator(':focus')).waitFor()
      assert.ok(await dialog.getByRole('button', { name: 'Publish' }).isDisabled())
      await name.fill('Sheet')
      await dialog.getByLabel('Changes').fill('As red as it can be')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('Version 1', { exact: true }).waitFor()
      await paint(page, 'green')
      await page.getByText('Unpublished changes').waitFor()
      await publish(page, 'Now in green')
      await page.getByText('Version 2', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Versions' }).click()
      const versions = page.getByRole('navigation', { name: 'Versions' })
      await versions.getByText('As red as it can be').waitFor()
      await versions.getByText('Now in green').click()
      const comparison = page.getByRole('region', { name: 'Comparison' })
      await comparison.getByText('params.color', { exact: true }).first().waitFor()
      await comparison
        .getByText('"red"')
        .or(comparison.getByText('red', { exact: true }))
        .first()
        .waitFor()
      await comparison
        .getByText('"green"')
        .or(comparison.getByText('green', { exact: true }))
        .first()
        .waitFor()
      await comparison.getByLabel('Both graphs, overlaid').getByText('sheet').first().waitFor()
      await versions.getByText('As red as it can be').click()
      await page.getByRole('button', { name: 'Restore into the draft' }).click()
      await draftWith(api, workflowId, 'the restored colour', (document) => colorOf(document) === 'red')
      const published = ok(await api.get<DraftDocument>(`/workflows/${workflowId}/document`))
      assert.equal(published.name, 'Sheet')
      assert.equal(colorOf(published), 'green')
    })
  })

  test('after the session ends, signing in again continues without losing changes', async () => {
    const { api, visit, key } = of()
    const workflowId = await newDraft(api, sheet())
    await visit(`/workflows/${workflowId}`, async ({ page, context }) => {
      // No request follows before the change.
      await card(page, 'sheet').locator('[data-live=current]').waitFor()
      await context.request.delete('/v1/session', { headers: { 'sec-fetch-site': 'same-origin' } })
      await paint(page, 'purple')
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await dialog.getByLabel('API key').fill('tt_live_wrong')
      await page.keyboard.press('Enter')
      await dialog.getByText(/unknown, expired or revoked/).waitFor()
      await dialog.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).pathname, `/workflows/${workflowId}`)
      await draftWith(api, workflowId, 'what was changed meanwhile', (document) => colorOf(document) === 'purple')
      await waitForColor(page, 'purple')
      await page.getByRole('button', { name: 'Undo: Change color of sheet' }).waitFor()
    })
  })

  test('a new workflow that was left without a change is deleted, and one with a change is kept', async () => {
    const { api, visit } = of()
    const exists = async (path: string) => (await api.get(`${path}/draft`)).status === 200
    await visit('/workflows', async ({ page }) => {
      const create = async (): Promise<string> => {
        await page.getByRole('button', { name: 'New workflow' }).first().click()
        await page.getByText('Nothing here yet').waitFor()
        return new URL(page.url()).pathname
      }
      const unused = await create()
      assert.equal(await exists(unused), true)
      await leave(page)
      await until('the deletion', async () => !(await exists(unused)) || undefined)
      const named = await create()
      await page.getByRole('textbox', { name: 'Name of the workflow' }).fill('Kept')
      await leave(page)
      await page.getByRole('link', { name: 'Kept', exact: true }).waitFor()
      assert.equal(await exists(named), true)
    })
  })

  test('a name that is saved only after its workflow was left is in the list', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, { ...sheet(), name: 'Before' })
    await visit('/workflows', async ({ page }) => {
      const before = page.getByRole('link', { name: 'Before', exact: true })
      await before.click()
      await card(page, 'sheet').waitFor()
      const listed = Promise.withResolvers<void>()
      await page.route(`**/v1/workflows/${workflowId}/draft`, async (route) => {
        if (route.request().method() === 'PUT') await listed.promise
        return route.continue()
      })
      await page.getByRole('textbox', { name: 'Name of the workflow' }).fill('After')
      await leave(page)
      await before.waitFor()
      listed.resolve()
      await page.getByRole('link', { name: 'After', exact: true }).waitFor()
    })
  })

  test('a workflow that is opened again while it is saved has the last change', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, { ...sheet(), name: 'Again' })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await paint(page, 'navy')
      const opened = Promise.withResolvers<void>()
      let isSaved = false
      const readBefore: string[] = []
      await page.route(`**/v1/workflows/${workflowId}/draft`, async (route) => {
        if (route.request().method() !== 'PUT') return route.continue()
        await opened.promise
        await route.fulfill({ response: await route.fetch() })
        isSaved = true
      })
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (/drafts?$/.test(pathname) && request.method() === 'GET' && !isSaved) readBefore.push(request.url())
      })
      await leave(page)
      await page.getByRole('link', { name: 'Again', exact: true }).click()
      await page.waitForURL(`**/workflows/${workflowId}`)
      await waitUntilStill(page)
      opened.resolve()
      await waitForColor(page, 'navy')
      assert.deepEqual(
        readBefore.filter((url) => url.includes(workflowId)),
        [],
      )
    })
  })

  test('after a crash of the service, the editor shows it, loses nothing, and continues when it is back', async (t) => {
    const { api, visit, service } = await ownConsole(t)
    const workflowId = await newDraft(api, sheet())
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await card(page, 'sheet').waitFor()
        await focusCanvas(page)
        await run(page, api)
        await paint(page, 'silver')
        await service.kill()
        await paint(page, 'gold')
        await page.locator('[data-save-state=failed]').waitFor()
        await page.getByText('Not saved, trying again').waitFor()
        // Settings that are opened now are loaded after the restart.
        await select(page, outputCard)
        const restarted = await service.restart()
        t.after(() => restarted.kill())
        await inspector(page).getByRole('combobox', { name: 'Node of the output' }).waitFor()
        await waitUntilSaved(page)
        assert.equal(colorOf(await storedDraft(api, workflowId)), 'gold')
        await focusCanvas(page)
        const { error } = await run(page, api)
        assert.equal(error, undefined)
      },
      { expected: [/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|Failed to load resource/] },
    )
  })
})

function leave(page: Page): Promise<void> {
  return page.getByRole('link', { name: 'Workflows', exact: true }).first().click()
}

async function paint(page: Page, color: string): Promise<void> {
  await select(page, 'sheet')
  await fill(page, 'nodes.sheet.params.color', color)
}

async function waitForColor(page: Page, color: string): Promise<void> {
  await select(page, 'sheet')
  await field(page, 'nodes.sheet.params.color').locator(`input[value="${color}"]`).waitFor()
}

async function publish(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Changes').fill(note)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await dialog.waitFor({ state: 'detached' })
}
