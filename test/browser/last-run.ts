/** The last run in the editor: it is paid for once, survives a reload, and shows what changed since. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Client, ok } from '../harness/client.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import {
  card,
  draftWith,
  field,
  focusCanvas,
  inspector,
  newDraft,
  result,
  run,
  runPanel,
  runStatus,
  select,
  storedDraft,
  waitUntilLoaded,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'

/** Two images of a model in a grid. */
const sheet = {
  name: 'Sheet',
  nodes: {
    scene: {
      type: 'generate',
      each: ['red', 'blue'],
      params: { prompt: 'A {{ item }} door', model: 'openai/gpt-image-1-mini' },
    },
    small: { type: 'resize', inputs: { image: 'scene' }, params: { width: 60 } },
    grid: { type: 'grid', inputs: { images: 'small' }, params: { gap: 1 } },
  },
  output: { node: 'grid', format: 'png' },
}
const nodes = ['scene', 'small', 'grid']

let host: SourceHost | undefined

consoleTests('the last run', (of) => {
  before(async () => {
    host = await startSourceHost()
  })
  after(() => host?.close())

  /** The paid calls of the account. */
  const calls = async (api: Client) => ok(await api.get<{ totals: { calls: number } }>('/usage')).totals.calls
  const next = (page: Page, text: string | RegExp) =>
    runPanel(page).getByText(text, { exact: typeof text === 'string' })
  const waitForImages = async (page: Page) => {
    for (const id of nodes) await waitUntilLoaded(card(page, id).locator('img'))
  }
  const settings = (page: Page) => inspector(page).getByRole('region', { name: 'Settings' })
  const openExecution = async (page: Page, { executionId }: Execution) => {
    await page.goto(`/executions/${executionId}`)
    await page.getByRole('link', { name: 'Open in the editor' }).click()
  }
  const open = async (page: Page) => {
    await card(page, 'grid').waitFor()
    await focusCanvas(page)
  }

  test('a change after an AI node costs nothing, as the forecast says; a new variation is paid for', async () => {
    const { api, visit } = of()
    const paid = await calls(api)
    const workflowId = await newDraft(api, sheet)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await next(page, 'Next run: 3 steps').waitFor()
      await next(page, /^up to \$/).waitFor()
      await run(page, api)
      assert.equal(await calls(api), paid + 2)
      await next(page, 'Next run: all 3 steps cached').waitFor()
      // The forecast is also right while the panel is closed.
      await runPanel(page).getByRole('button', { name: 'Hide the run panel' }).click()
      for (const gap of [20, 30]) {
        await select(page, 'grid')
        await fill(page, 'nodes.grid.params.gap', gap)
        await next(page, 'Next run: 1 step, 2 cached').waitFor()
        await card(page, 'grid').getByText('outdated').waitFor()
        for (const id of ['scene', 'small']) assert.equal(await card(page, id).getByText('outdated').count(), 0)
        await focusCanvas(page)
        const { cost } = (await run(page, api)) as Execution & { cost?: unknown }
        assert.equal(cost, undefined)
        await card(page, 'grid').getByText('outdated').waitFor({ state: 'detached' })
      }
      assert.equal(await calls(api), paid + 2)

      const before = await result(page).getAttribute('src')
      await runPanel(page)
        .getByRole('button', { name: /^New variation · .*\$/ })
        .click()
      await until('two more calls', async () => (await calls(api)) === paid + 4 || undefined)
      await until('another image', async () => (await result(page).getAttribute('src')) !== before || undefined)
      await next(page, 'Next run: all 3 steps cached').waitFor()
      await focusCanvas(page)
      await run(page, api)
      assert.equal(await calls(api), paid + 4)
    })
  })

  test('a new variation of the selected AI node calls only its model again', async () => {
    const { api, visit } = of()
    const paid = await calls(api)
    const generate = (prompt: string) => ({
      type: 'generate',
      params: { prompt, model: 'openai/gpt-image-1-mini' },
    })
    const workflowId = await newDraft(api, {
      name: 'Two doors',
      nodes: {
        left: generate('A green door'),
        right: generate('A white door'),
        grid: { type: 'grid', inputs: { images: ['left', 'right'] } },
      },
      output: { node: 'grid', format: 'png' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await run(page, api)
      assert.equal(await calls(api), paid + 2)
      const urlOf = (id: string) => card(page, id).locator('img').getAttribute('src')
      for (const id of ['left', 'right']) await waitUntilLoaded(card(page, id).locator('img'))
      const left = await urlOf('left')
      await select(page, 'left')
      await runPanel(page)
        .getByRole('button', { name: /^New variation of left · .*\$/ })
        .click()
      await until('another image of the node', async () => {
        const url = await urlOf('left')
        return (url !== null && url !== left) || undefined
      })
      await next(page, 'Next run: all 3 steps cached').waitFor()
      assert.equal(await calls(api), paid + 3)
      // With no AI node selected, the button is for all of them.
      await select(page, 'grid')
      await runPanel(page)
        .getByRole('button', { name: /^New variation · .*\$/ })
        .waitFor()
    })
  })

  test('its images are there after a reload, and from the page of any execution, and cost nothing again', async () => {
    const { api, visit } = of()
    const paid = await calls(api)
    const workflowId = await newDraft(api, sheet)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      const first = await run(page, api)
      await page.reload()
      await waitForImages(page)
      await runStatus(page)
        .getByText(/^Run of .*Done in/)
        .waitFor()
      await next(page, 'Next run: all 3 steps cached').waitFor()
      assert.equal(await page.getByText('outdated').count(), 0)
      await select(page, 'grid')
      await fill(page, 'nodes.grid.params.gap', 40)
      await focusCanvas(page)
      await run(page, api)

      await openExecution(page, first)
      await page.getByText(/^Execution of the draft, /).waitFor()
      await waitForImages(page)
      await select(page, 'grid')
      await settings(page).getByText('1', { exact: true }).waitFor()
      assert.equal(await page.getByText('outdated').count(), 0)
      const gap = async () => (await storedDraft(api, workflowId)).nodes.grid?.params?.gap
      assert.equal(await gap(), 40)
      await page.getByRole('button', { name: 'Edit as a draft' }).click()
      await draftWith(api, workflowId, 'the executed document', ({ nodes: { grid } }) => grid?.params?.gap === 1)
      await waitForImages(page)
      await next(page, 'Next run: all 3 steps cached').waitFor()
      await focusCanvas(page)
      await run(page, api)
      assert.equal(await calls(api), paid + 2)
      await page.getByRole('button', { name: 'Undo: Load the execution of the draft' }).click()
      await draftWith(api, workflowId, 'the draft before', ({ nodes: { grid } }) => grid?.params?.gap === 40)
    })
  })

  test('an execution of an old version opens with its document, its images and its parameters, and changes nothing', async () => {
    const { api, visit } = of()
    const version = (text: string) => ({
      name: 'Sign',
      parameters: [{ name: 'width', type: 'number' as const, default: 30 }],
      nodes: {
        base: { type: 'canvas', params: { width: '{{ width }}', height: 20 } },
        [text]: { type: 'blur', inputs: { image: 'base' } },
      },
      output: { node: text, format: 'png' },
    })
    const { id } = await save(api, version('old'))
    const request = { workflowId: id, parameters: { width: 44 }, previews: true }
    const execution = ok(await api.post<Execution>('/workflows/execute', request))
    ok(await api.put(`/workflows/${id}`, version('new')))
    const draft = { ...version('newest'), nodes: { ...version('newest').nodes, own: { type: 'canvas' } } }
    ok(await api.put(`/workflows/${id}/draft`, { document: draft }), 201)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'newest').waitFor()
      await openExecution(page, execution)
      await page.getByText(/^Execution of version 1, /).waitFor()
      for (const node of ['base', 'old']) await waitUntilLoaded(card(page, node).locator('img'))
      assert.equal(await card(page, 'newest').count(), 0)
      await runPanel(page).getByRole('region', { name: 'Parameters' }).getByText('44', { exact: true }).waitFor()
      await waitUntilLoaded(result(page))
      // Nothing that edits: no key, no button, no field.
      await select(page, 'old')
      for (const key of ['Delete', 'd', '/', 'Control+x', 'ArrowRight', 'l']) await page.keyboard.press(key)
      await card(page, 'old').waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0)
      assert.equal(await page.getByRole('region', { name: 'Canvas' }).locator('button[aria-label^=Undo]').count(), 0)
      assert.equal(await settings(page).locator('input,textarea,select').count(), 0)
      await page.getByRole('link', { name: 'Back to the draft' }).click()
      await card(page, 'own').waitFor()
      assert.equal(await page.getByText(/^Execution of version/).count(), 0)
      const stored = await storedDraft(api, id)
      assert.deepEqual(stored, draft)
      assert.equal(ok(await api.get<{ revision: number }>(`/workflows/${id}/draft`)).revision, 1)

      await openExecution(page, execution)
      await page.getByRole('button', { name: 'Edit as a draft' }).click()
      await draftWith(api, id, 'the executed version', ({ nodes: { old } }) => old !== undefined)
      await runPanel(page).getByRole('button', { name: 'Show the run panel' }).click()
      await field(page, 'parameters.width').locator('input[value="44"]').waitFor()
    })
  })

  test("an execution that can't be found says so, and leads back to the draft", async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheet)
    const { id } = await save(api, {
      name: 'Another',
      nodes: { grid: { type: 'canvas', params: { width: 8, height: 8 } } },
      output: { node: 'grid', format: 'png' },
    })
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    await visit(
      `/workflows/${workflowId}?execution=${executionId}`,
      async ({ page }) => {
        await page.getByText(`The execution ${executionId} ran another workflow.`).waitFor()
        await page.goto(`/workflows/${workflowId}?execution=exec_00000000000000000000`)
        await page.getByText(/"exec_00000000000000000000" was not found/).waitFor()
        await page.getByRole('link', { name: 'Back to the draft' }).click()
        await card(page, 'grid').waitFor()
      },
      { expected: [/404/] },
    )
  })

  test('a run that is going on is found again after a reload, and can be cancelled', async () => {
    const { api, visit } = of()
    assert.ok(host)
    const hold = host.hold()
    const workflowId = await newDraft(api, {
      name: 'Waiting',
      nodes: {
        far: { type: 'image', params: { source: hold.url } },
        grid: { type: 'resize', inputs: { image: 'far' }, params: { width: 20 } },
      },
      output: { node: 'grid', format: 'png' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await open(page)
      await page.keyboard.press('Control+Enter')
      await hold.waiting()
      await page.reload()
      await runStatus(page).getByText('Running, 0 of 2 steps done').waitFor()
      await card(page, 'far').getByText('running').waitFor()
      await runPanel(page).getByRole('button', { name: 'Cancel' }).click()
      await runStatus(page)
        .getByText(/cancelled/i)
        .waitFor()
      hold.release()
    })
  })

  test('an execution without step images says so', async () => {
    const { api, visit } = of()
    const { id } = await save(api, {
      name: 'Plain',
      nodes: { grid: { type: 'canvas', params: { width: 8, height: 8 } } },
      output: { node: 'grid', format: 'png' },
    })
    const { executionId } = ok(await api.post<Execution>('/workflows/execute', { workflowId: id }))
    await visit(`/workflows/${id}?execution=${executionId}`, async ({ page }) => {
      await runStatus(page)
        .getByText(/stored no step images/)
        .waitFor()
    })
  })
})
