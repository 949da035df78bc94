/** Runs: progress, cancelling, repeating and comparing; and the run page. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { copiedBy } from './harness/clipboard.ts'
import { consoleTests } from './harness/console.ts'
import {
  addNode,
  card,
  choose,
  draftWith,
  field,
  focusCanvas,
  makeOutput,
  newDraft,
  result,
  run,
  runPanel,
  runStatus,
  select,
  waitUntilLoaded,
  waitUntilRunnable,
  wire,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'
import { waitUntilInSight, waitUntilSettled } from './harness/settled.ts'

const photograph = new URL('../../examples/samples/coffee.jpg', import.meta.url)
let host: SourceHost | undefined

/** A workflow that waits for a host, which responds when the test decides. */
function waiting(source: string): Document {
  return {
    name: 'Waiting',
    nodes: {
      sheet: { type: 'canvas', params: { width: 80, height: 60, color: 'navy' } },
      far: { type: 'image', params: { source } },
      small: { type: 'resize', inputs: { image: 'far' }, params: { width: 20, height: 15 } },
      both: { type: 'composite', inputs: { image: 'sheet', overlay: 'small' } },
    },
    output: { node: 'both', format: 'png' },
  }
}

consoleTests('running a workflow', (of) => {
  before(async () => {
    host = await startSourceHost()
  })
  after(() => host?.close())

  test('nodes from the palette are found, connected and run, and the result is in sight with its URL', async () => {
    const { api, visit } = of()
    await save(api, { ...sized(), name: 'Poster with QR code' })
    // Another color than in `waiting`: on a busy machine its result is cached, and a cached step has no progress.
    const sheet = { type: 'canvas', params: { width: 1080, height: 1080, color: 'teal' } }
    const workflowId = await newDraft(api, { name: 'Built', nodes: { sheet } })
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await card(page, 'sheet').waitFor()
        const small = await addNode(page, 'Resize')
        await wire(page, 'sheet', 'image')
        await fill(page, `nodes.${small}.params.width`, 900)
        await makeOutput(page, small)
        // With a selected node, an operation without inputs is found before the workflow, and stays unconnected.
        await select(page, 'sheet')
        await focusCanvas(page)
        await page.keyboard.press('/')
        await page.getByRole('combobox', { name: 'Add a node' }).fill('qr')
        await page.getByRole('option', { name: 'Poster with QR code' }).waitFor()
        await choose(page, 'qr')
        await card(page, 'qr').waitFor()
        const { nodes } = await draftWith(api, workflowId, 'a QR code', (document) => 'qr' in document.nodes)
        assert.deepEqual(
          Object.values(nodes).map(({ type, inputs }) => [type, inputs]),
          [
            ['canvas', undefined],
            ['resize', { image: 'sheet' }],
            ['qr', undefined],
          ],
        )
        const { output } = await run(page, api)
        assert.deepEqual([output?.width, output?.height], [900, 900])
        await waitUntilInSight(result(page))
        await waitUntilInSight(runPanel(page).getByRole('link', { name: 'Download the image' }))
        const copy = runPanel(page).getByRole('button', { name: 'Copy URL' })
        await waitUntilInSight(copy)
        assert.equal(await copiedBy(page, () => copy.click()), output?.url)
        await select(page, 'sheet')
        await fill(page, 'nodes.sheet.params.color', 'navy')
        await runPanel(page).getByRole('img', { name: 'Preview of the output' }).waitFor()

        await page.keyboard.press('Control+f')
        const find = page.getByRole('combobox', { name: 'Find a node' })
        await find.fill('resize')
        await find.press('Enter')
        await page.locator(`.react-flow__node.selected[data-id="${small}"]`).waitFor()
        await page.keyboard.press('Control+k')
        await page.getByLabel('Find an action, a page, a workflow or an execution').fill('qr code')
        await page.getByRole('dialog').locator('[data-selected]').getByText('qr · QR code').waitFor()
        await page.keyboard.press('Enter')
        await page.locator('.react-flow__node.selected[data-id="qr"]').waitFor()
      },
      { width: 1440, height: 900, hasClipboard: true },
    )
  })

  test('nodes show the progress of a run, and a run can be cancelled and repeated', async () => {
    const { api, visit } = of()
    assert.ok(host)
    const [first, second] = [host.hold(), host.hold()]
    const workflowId = await newDraft(api, waiting(first.url))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'both').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('Control+Enter')
      await first.waiting()
      await runStatus(page).getByText('Running, 1 of 4 steps done').waitFor()
      await waitUntilLoaded(card(page, 'sheet').locator('img'))
      await card(page, 'far').getByText('running').waitFor()
      await card(page, 'small').getByText('waiting').waitFor()
      first.release()
      await waitUntilLoaded(result(page))
      for (const id of ['sheet', 'far', 'small', 'both']) await waitUntilLoaded(card(page, id).locator('img'))
      await card(page, 'small').getByText('20 × 15').waitFor()
      await waitUntilRunnable(page)

      await select(page, 'far')
      await fill(page, 'nodes.far.params.source', second.url)
      // Cancelled before the page has the id of the execution.
      const cancelled = Promise.withResolvers<void>()
      await page.route('**/draft/execute', async (route) => {
        const response = await route.fetch()
        await cancelled.promise
        await route.fulfill({ response })
      })
      await focusCanvas(page)
      await page.keyboard.press('Control+Enter')
      await second.waiting()
      await runPanel(page).getByRole('button', { name: 'Cancel' }).click()
      cancelled.resolve()
      await waitUntilRunnable(page)
      await runStatus(page)
        .getByText(/cancelled/i)
        .waitFor()
      second.release()
    })
  })

  test('a second run uses the cache, a run to a node stops there, and two results can be compared', async () => {
    const { api, visit } = of()
    assert.ok(host)
    const workflowId = await newDraft(api, waiting(host.url('/picture.png')))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'both').waitFor()
      await focusCanvas(page)
      await run(page, api)
      const again = await run(page, api)
      await runStatus(page)
        .getByText(/[234] of 4 steps cached/)
        .waitFor()
      await card(page, 'both').getByText('cached').waitFor()

      await select(page, 'small')
      const small = await run(page, api, 'Control+Shift+Enter')
      assert.deepEqual([small.output?.width, small.output?.height], [20, 15])
      assert.notEqual(small.output?.url, again.output?.url)

      await select(page, 'sheet')
      await fill(page, 'nodes.sheet.params.color', 'orange')
      await card(page, 'small').waitFor()
      await focusCanvas(page)
      await run(page, api)
      await runPanel(page).getByText('Compare with before').click()
      await waitUntilLoaded(page.getByRole('img', { name: 'Before', exact: true }))
      await waitUntilLoaded(page.getByRole('img', { name: 'After', exact: true }))
      const slider = runPanel(page).getByRole('slider')
      const before = await slider.getAttribute('aria-valuenow')
      await slider.focus()
      await slider.press('ArrowRight')
      assert.notEqual(await slider.getAttribute('aria-valuenow'), before)
    })
  })

  test('the complete record of a run that arrives while the next run starts does not end the next one', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sized())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const [read, started] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      let isFirst = true
      await page.route('**/v1/workflows/executions/exec_*', async (route) => {
        if (!isFirst) return route.continue()
        isFirst = false
        const response = await route.fetch()
        const record = (await response.json()) as Execution
        await read.promise
        return route.fulfill({ response, json: { ...record, output: { ...record.output, width: 61 } } })
      })
      await card(page, 'sheet').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('Control+Enter')
      await runPanel(page).getByText('60 × 40 · png').waitFor()
      await waitUntilRunnable(page)
      await page.route('**/draft/execute', async (route) => {
        await started.promise
        return route.continue()
      })
      await page.keyboard.press('Control+Enter')
      read.resolve()
      await runPanel(page).getByText('61 × 40 · png').waitFor()
      await runPanel(page).getByRole('button', { name: 'Cancel' }).waitFor()
      started.resolve()
      await waitUntilRunnable(page)
    })
  })

  test('invalid parameters are shown at their fields, and nothing runs', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sized())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('r')
      const width = field(page, 'parameters.width')
      await width.getByRole('textbox').fill('5000')
      // Not the response of the forecast, which also rejects the value.
      const refused = page.waitForResponse((response) => response.url().endsWith('/draft/execute'))
      await page.keyboard.press('Control+Enter')
      assert.equal((await refused).status(), 400)
      await width.and(page.locator('[data-wrong]')).waitFor()
      await width.getByRole('textbox').fill('120')
      const { output } = await run(page, api)
      assert.equal(output?.width, 120)
    })
  })

  test('on a phone with a shared link, an image is uploaded and the result is shown', async () => {
    const { api, visit } = of()
    const { id } = await save(api, {
      name: 'Small picture',
      description: 'Makes a photograph small.',
      parameters: [
        { name: 'photo', type: 'string', required: true },
        { name: 'width', type: 'number', default: 64, minimum: 8, maximum: 400 },
      ],
      nodes: {
        photo: { type: 'image', params: { source: '{{ photo }}' } },
        small: { type: 'resize', inputs: { image: 'photo' }, params: { width: '{{ width }}' } },
      },
      output: { node: 'small', format: 'png' },
    })
    let link = ''
    await visit(
      `/workflows/${id}/run`,
      async ({ page }) => {
        link = await copiedBy(page, () => page.getByRole('button', { name: 'Copy link' }).click())
      },
      { hasClipboard: true },
    )
    await visit(
      new URL(link).pathname,
      async ({ page }) => {
        await page.getByRole('heading', { name: 'Small picture', level: 2 }).waitFor()
        await field(page, 'parameters.photo').getByRole('button', { name: 'Choose', exact: true }).tap()
        const upload = page.getByRole('dialog').getByRole('button', { name: 'Choose a file' })
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), upload.tap()])
        const buffer = await readFile(photograph)
        await chooser.setFiles([{ name: 'from the phone.jpg', mimeType: 'image/jpeg', buffer }])
        await page.getByRole('dialog').waitFor({ state: 'detached' })
        await field(page, 'parameters.photo')
          .getByText(/from the phone/)
          .waitFor()
        await page.getByRole('button', { name: 'Run', exact: true }).tap()
        const image = page.getByRole('img', { name: 'Small picture' })
        await waitUntilLoaded(image)
        await page.getByText('64 × 43 · png').or(page.getByText('64 × 42 · png')).waitFor()
        const [wide, high] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
          number,
          number,
        ]
        assert.ok(wide <= high, `The page is ${wide} wide in a window of ${high}.`)
      },
      { width: 390, height: 844, context: { hasTouch: true, isMobile: true } },
    )
  })

  test('executions can be filtered by workflow and status, opened, and repeated with the same values', async () => {
    const { api, visit } = of()
    const { id } = await save(api, { ...sized(), name: 'Sized sheets' })
    const done = ok(await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { width: 77 } }))
    const refused = await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { width: 33 } })
    assert.equal(refused.status, 500, refused.text)
    await visit('/executions', async ({ page }) => {
      await page.getByRole('combobox', { name: 'Workflow' }).fill('Sized')
      await page.getByRole('option', { name: 'Sized sheets' }).click()
      const rows = page.getByRole('row').filter({ hasText: 'version 1' })
      const has = (count: number) =>
        until(`${count} rows`, async () => ((await rows.count()) === count ? true : undefined))
      await has(2)
      await page.getByRole('combobox', { name: 'Status' }).click()
      await page.getByRole('option', { name: 'Completed' }).click()
      await has(1)
      await page.reload()
      await page.getByRole('row').getByRole('link', { name: 'Sized sheets' }).click()
      await page.waitForURL(`**/executions/${done.executionId}`)
      await waitUntilLoaded(page.getByRole('img', { name: 'Output of Sized sheets' }))
      const steps = page.getByRole('list', { name: 'Steps by time' }).getByRole('listitem')
      await steps.filter({ hasText: 'sheet' }).waitFor()
      await page.getByRole('link', { name: 'Run again with these values' }).click()
      const width = field(page, 'parameters.width').getByRole('textbox')
      await width.and(page.locator('[value="77"], [value="77 px"]')).waitFor()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await waitUntilLoaded(page.getByRole('img', { name: 'Sized sheets' }))
      await page.getByText('77 × 40 · png').waitFor()
    })
  })

  test('with very many workflows, each executed one has its name and can be searched', async () => {
    const { api, visit } = of()
    const { id } = await save(api, { ...sized(), name: 'The first of all' })
    const { id: second } = await save(api, { ...sized(), name: 'The second of all' })
    ok(await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { width: 61 } }))
    for (let at = 0; at < 100; at += 1) await save(api, { ...sized(), name: `Later ${at}` })
    await visit('/executions', async ({ page }) => {
      await page.getByRole('row').getByRole('link', { name: 'The first of all' }).waitFor()
      await page.getByRole('combobox', { name: 'Workflow' }).fill('second of')
      await page.getByRole('option', { name: 'The second of all' }).click()
      await page.waitForURL(`**/executions?workflowId=${second}`)
    })
  })

  test('the list shows the start of each execution on a phone, too', async () => {
    const { api, visit } = of()
    const { id } = await save(api, { ...sized(), name: 'Pocketed' })
    ok(await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { width: 62 } }))
    for (const width of [390, 1280]) {
      await visit(
        `/executions?workflowId=${id}`,
        async ({ page }) => {
          await page.getByRole('link', { name: 'Pocketed' }).waitFor()
          const row = page.getByRole('row').filter({ hasText: 'Pocketed' })
          assert.equal(await row.locator('time:visible').count(), 1)
          if (width > 390) return
          await waitUntilSettled(page)
          const box = await row.locator('time:visible').boundingBox()
          assert.ok(box)
          await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
          await page.waitForURL('**/executions/exec_*')
        },
        { width },
      )
    }
  })

  test('an execution is updated live in the list and on its page, and a failed one shows the reason and the node', async () => {
    const { api, visit } = of()
    assert.ok(host)
    const hold = host.hold()
    const { id } = await save(api, { ...waiting(hold.url), name: 'Followed' })
    const started = ok(await api.post<Execution>('/workflows/execute', { workflowId: id, async: true }), 202)
    await hold.waiting()
    await visit(`/executions?workflowId=${id}`, async ({ page }) => {
      const row = page.getByRole('row').filter({ hasText: 'Followed' })
      await row.getByText('Running').waitFor()
      await row.getByRole('link').click()
      await page.waitForURL(`**/executions/${started.executionId}`)
      await page.getByText('Working on it …').waitFor()
      // The cost is only in the record that is read after the last event.
      await page.route(`**/v1/workflows/executions/${started.executionId}`, async (route) => {
        const response = await route.fetch()
        const record = (await response.json()) as Execution
        return route.fulfill({ response, json: { ...record, cost: { usd: 0.25, calls: 1, estimated: false } } })
      })
      hold.release()
      await waitUntilLoaded(page.getByRole('img', { name: 'Output of Followed' }))
      await page.getByText('$0.25').first().waitFor()
      await page.goBack()
      await row.getByText('Completed').waitFor()
    })
    const { id: failing } = await save(api, { ...sized(), name: 'Failing' })
    await api.post<Execution>('/workflows/execute', { workflowId: failing, parameters: { width: 33 } })
    await visit(`/executions?workflowId=${failing}&status=failed`, async ({ page }) => {
      await page.getByRole('link', { name: 'Failing' }).click()
      const open = page.getByRole('link', { name: /in the editor$/ })
      await open.waitFor()
      assert.deepEqual(await open.allTextContents(), ['Open cut in the editor'])
      await open.click()
      // The run, its values and its error.
      await page.getByRole('region', { name: 'Execution' }).getByText('Execution of version 1').waitFor()
      await runPanel(page).getByRole('region', { name: 'Parameters' }).getByText('33', { exact: true }).waitFor()
      await card(page, 'cut')
        .getByText(/extends beyond the image/)
        .waitFor()
      await page.locator('.react-flow__node.selected[data-id="cut"]').waitFor()
    })
  })

  test('executions are counted and shown in charts', async () => {
    const { visit } = of()
    await visit('/usage', async ({ page }) => {
      await page.getByText('Executions', { exact: true }).first().waitFor()
      await page.locator('svg.recharts-surface').nth(1).waitFor()
      await page
        .getByText(/\d+ failed/)
        .first()
        .waitFor()
      await page.getByText('input invalid').first().waitFor()
      await page.getByText('7 days').click()
      await page.waitForURL('**/usage?days=*')
    })
  })
})

/** Fails for widths below 40, because the crop would be outside of the image. */
function sized(): Document {
  return {
    name: 'Sized',
    parameters: [{ name: 'width', type: 'number', default: 60, minimum: 20, maximum: 400 }],
    nodes: {
      sheet: { type: 'canvas', params: { width: '{{ width }}', height: 40, color: 'teal' } },
      cut: { type: 'crop', inputs: { image: 'sheet' }, params: { x: 0, y: 0, width: 40, height: 40 } },
      back: { type: 'composite', inputs: { image: 'sheet', overlay: 'cut' } },
    },
    output: { node: 'back', format: 'png' },
  }
}
