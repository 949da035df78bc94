/**
 * axe on every page. With TEST_FULL=1 also with every dialog and panel open, in dark with the rules about colours, and on a
 * phone.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { isFull } from '../harness/repetitions.ts'
import type { Execution } from '../harness/types.ts'
import { run as execute, idInUrl, save, upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests, sharedPage, withScreenshot } from './harness/console.ts'
import { card, field, focusCanvas, newDraft, run, select } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

const document = {
  name: 'Looked at',
  description: 'All kinds of fields.',
  parameters: [
    { name: 'photo', type: 'string', required: true },
    { name: 'width', type: 'number', default: 60, minimum: 20, maximum: 400 },
    { name: 'tone', type: 'string', format: 'enum', enum: ['warm', 'cold'], labels: { warm: 'Warm light' } },
    {
      name: 'people',
      type: 'string',
      format: 'json',
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: { name: { type: 'string' }, photo: { type: 'string', format: 'image' } },
          required: ['name'],
        },
      },
      default: [{ name: 'Ada' }],
    },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    sheet: { type: 'gradient', params: { width: '{{ width }}', height: 40, from: 'teal', to: 'navy', stops: [] } },
    title: {
      type: 'text',
      inputs: { image: 'sheet' },
      params: { text: 'Hello', size: 20, box: { x: 0, y: 0, width: 9 } },
    },
    curved: {
      type: 'curves',
      inputs: { image: 'title' },
      params: {
        luminance: [
          [0, 0],
          [255, 200],
        ],
      },
    },
  },
  output: { node: 'curved', format: 'png' },
}

interface View {
  name: string
  /** A function if it contains an id that is known once the tests run. */
  path: string | (() => string)
  /** The selector of the part that `open` opens. Checked in the full run only. */
  part?: string
  /** It can be opened on the previous page if the path is the same. */
  isOnSamePage?: boolean
  open?: (page: Page) => Promise<void>
}

/** The ids of the workflows, drafts and executions that the places show. */
type Ids = Record<'saved' | 'draft' | 'asking' | 'noted' | 'empty' | 'done' | 'failed' | 'signed', string>

const dialog = '[role=dialog]'
const inspected = '[aria-label=Inspector]'

consoleTests('axe', (of) => {
  let created: Ids

  before(async () => {
    const { api } = of()
    await upload(api, await readFile(new URL('../../examples/samples/coffee.jpg', import.meta.url)), 'coffee.jpg')
    const nodes = { sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'teal' } } }
    const once = { name: 'Saved', nodes, output: { node: 'sheet', format: 'png' } }
    const { id: saved } = await save(api, once)
    ok(await api.put(`/workflows/${saved}`, { ...once, output: { node: 'sheet', format: 'webp' } }))
    const done = ok(await api.post<Execution>('/workflows/execute', { workflowId: saved }))
    const crop = { type: 'crop', inputs: { image: 'sheet' }, params: { x: 90, y: 0, width: 9, height: 9 } }
    const { id: endpoint } = ok(
      await api.post<{ id: string }>('/webhook-endpoints', { url: 'https://webhooks.invalid/tintype' }),
      201,
    )
    ok(await api.post(`/webhook-endpoints/${endpoint}/test`), 202)
    const brand = {
      primary: { type: 'color', value: 'teal' },
      logo: { type: 'image', value: 'https://a.invalid/b.png' },
    }
    ok(await api.put('/brand', { values: brand }))
    const { id: failing } = await save(api, { name: 'Failing', nodes: { ...nodes, crop }, output: { node: 'crop' } })
    const refused = await api.post<Execution>('/workflows/execute', { workflowId: failing })
    assert.equal(refused.status, 500)
    const { executions } = ok(
      await api.get<{ executions: Execution[] }>('/workflows/executions', { status: 'failed', limit: 1 }),
    )
    const { id: signing } = await save(api, {
      ...once,
      name: 'Signed',
      output: { ...once.output, credentials: 'always' },
    })
    const signed = idInUrl((await execute(api, signing)).url)
    const draft = await newDraft(api, document)
    const asking = await newDraft(api, {
      ...once,
      name: 'Asking',
      parameters: [{ name: 'colour', type: 'string', required: true }],
      nodes: { sheet: { type: 'canvas', params: { width: 60, height: 40, color: '{{ colour }}' } } },
    })
    const noted = await newDraft(api, {
      name: 'Noted',
      nodes: { cut: { type: 'crop' } },
      layout: { cut: [0, 0], '$note-1': { at: [-40, -80], size: [320, 320], text: 'To be cut', color: 'pink' } },
    })
    const empty = await newDraft(api)
    const batch = ok(await api.post<{ id: string }>('/batches', { workflowId: saved, name: 'Rows to look at' }), 201)
    const rows = { body: '{"key":"a"}\n', headers: { 'content-type': 'application/x-ndjson' } }
    ok(await api.call('PUT', `/batches/${batch.id}/items`, rows))
    created = {
      saved,
      draft,
      asking,
      noted,
      empty,
      signed,
      done: done.executionId,
      failed: executions[0]?.executionId ?? '',
    }
  })

  const editor = () => `/workflows/${created.draft}`
  const inEditor = async (page: Page) => card(page, 'curved').waitFor()
  const at = (name: string, path: View['path'], open: (page: Page) => Promise<void>, rest: Partial<View> = {}) => ({
    name,
    path,
    open,
    ...rest,
  })
  const views: View[] = [
    at('the gallery', '/workflows', (page) => page.getByRole('link', { name: 'Saved' }).waitFor()),
    at(
      'the templates',
      '/workflows',
      async (page) => {
        await page.getByRole('button', { name: 'Templates' }).click()
        await page.getByRole('dialog').waitFor()
      },
      { part: dialog },
    ),
    at(
      'an empty canvas',
      () => `/workflows/${created.empty}`,
      (page) => page.getByText('Nothing here yet').waitFor(),
    ),
    ...Object.keys(document.nodes).map((id, index) =>
      at(
        `the settings of ${id}`,
        editor,
        async (page) => {
          await inEditor(page)
          await select(page, id)
        },
        index === 0 ? {} : { part: inspected, isOnSamePage: true },
      ),
    ),
    at(
      'the settings of the output',
      editor,
      async (page) => {
        await inEditor(page)
        await select(page, '$output')
      },
      { part: inspected, isOnSamePage: true },
    ),
    at(
      'the settings of a parameter',
      editor,
      async (page) => {
        await inEditor(page)
        await focusCanvas(page)
        await page.keyboard.press('Escape')
        for (const name of [/^width/, /^tone/, /^people/, 'Settings of the field photo'])
          await page.getByRole('button', { name }).click()
      },
      { part: inspected, isOnSamePage: true },
    ),
    at('a problem and the list of problems', editor, async (page) => {
      await inEditor(page)
      await select(page, 'title')
      await fill(page, 'nodes.title.params.size', 99_999)
      await page.getByRole('button', { name: /problem/ }).click()
      await page.getByRole('dialog').waitFor()
    }),
    at(
      'what is missing, and a note',
      () => `/workflows/${created.noted}`,
      async (page) => {
        await card(page, 'cut').locator('[data-missing]').first().waitFor()
        await card(page, '$note-1').click({ position: { x: 20, y: 12 } })
        await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
      },
    ),
    at(
      'the list of operations',
      editor,
      async (page) => {
        await inEditor(page)
        await focusCanvas(page)
        await page.keyboard.press('/')
        await page.getByRole('option').first().waitFor()
      },
      { part: dialog },
    ),
    at(
      'the run panel',
      () => `/workflows/${created.saved}`,
      async (page) => {
        await card(page, 'sheet').waitFor()
        await focusCanvas(page)
        await run(page, of().api)
      },
    ),
    at(
      'a run that is refused',
      () => `/workflows/${created.asking}`,
      async (page) => {
        await card(page, 'sheet').waitFor()
        await page.keyboard.press('Control+Enter')
        await field(page, 'parameters.colour').getByText('is required').waitFor()
      },
    ),
    at(
      'where a node can be connected to',
      editor,
      async (page) => {
        await inEditor(page)
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('c')
        await page.getByRole('combobox', { name: /^Connect / }).waitFor()
      },
      { part: dialog },
    ),
    at(
      'the menu of a card',
      '/workflows',
      async (page) => {
        await page.getByRole('button', { name: 'Actions for Saved' }).click()
        await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
      },
      { part: '[role=menu]' },
    ),
    at(
      'the question before a deletion',
      '/workflows',
      async (page) => {
        await page.getByRole('button', { name: 'Actions for Saved' }).click()
        await page.getByRole('menuitem', { name: 'Delete…' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
      },
      { part: dialog },
    ),
    at(
      'revoking a key',
      '/keys',
      async (page) => {
        await page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .click()
        await page.getByRole('menuitem', { name: 'Revoke…' }).click()
        await page.getByRole('dialog').waitFor()
      },
      { part: dialog },
    ),
    at('a workflow that is not there', '/workflows/wf_00000000000000000000000000', (page) =>
      page.getByText('Workflow not found').waitFor(),
    ),
    at('the run panel with its form', editor, async (page) => {
      await inEditor(page)
      await focusCanvas(page)
      await page.keyboard.press('r')
      await field(page, 'parameters.width').waitFor()
    }),
    at(
      'publishing',
      editor,
      async (page) => {
        await inEditor(page)
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.getByRole('dialog').waitFor()
      },
      { part: dialog },
    ),
    at(
      'choosing an image',
      () => `${editor()}/run`,
      async (page) => {
        await field(page, 'parameters.photo').getByRole('button', { name: 'Choose', exact: true }).click()
        await page.getByRole('dialog').getByText('In storage').waitFor()
      },
      { part: dialog },
    ),
    at(
      'the app view',
      () => `${editor()}/run`,
      async (page) => {
        await field(page, 'parameters.width').waitFor()
        await page.getByRole('button', { name: 'Change people' }).click()
        await page.getByRole('button', { name: /1\s*Ada/ }).click()
      },
    ),
    at(
      'the versions',
      () => `/workflows/${created.saved}/versions?to=2`,
      (page) => page.getByText('compared with').waitFor(),
    ),
    at(
      'the code',
      () => `${editor()}/api`,
      (page) => page.getByRole('heading', { name: 'Call it from your code' }).waitFor(),
    ),
    at('the executions', '/executions', (page) => page.getByRole('row').nth(2).waitFor()),
    at(
      'an execution',
      () => `/executions/${created.done}`,
      (page) => page.getByRole('list', { name: 'Steps by time' }).waitFor(),
    ),
    at(
      'an execution in the editor',
      () => `/workflows/${created.saved}?execution=${created.done}`,
      async (page) => {
        await select(page, 'sheet')
        await page.getByRole('button', { name: 'Edit as a draft' }).waitFor()
      },
    ),
    at(
      'a failed execution',
      () => `/executions/${created.failed}`,
      (page) => page.getByRole('button', { name: 'Copy the error' }).waitFor(),
    ),
    at('the batches', '/batches', (page) => page.getByRole('link', { name: 'Rows to look at' }).waitFor()),
    at('a batch', '/batches', async (page) => {
      await page.getByRole('link', { name: 'Rows to look at' }).click()
      await page.getByRole('region', { name: 'Rows' }).getByRole('button').first().waitFor()
    }),
    at('the storage', '/storage', (page) => page.getByRole('button', { name: 'Open coffee.jpg' }).first().waitFor()),
    at(
      'an image',
      '/storage',
      async (page) => {
        await page.getByRole('button', { name: 'Open coffee.jpg' }).first().click()
        await page.getByRole('dialog').getByRole('img', { name: 'coffee.jpg' }).waitFor()
      },
      { part: dialog },
    ),
    at('the bin', '/storage/bin', (page) => page.getByRole('heading', { name: 'Bin', exact: true }).waitFor()),
    at('the brand', '/brand', (page) => page.getByRole('listitem', { name: 'primary' }).waitFor()),
    at(
      'the history of an image',
      () => `/verify?image=${created.signed}`,
      (page) => page.getByRole('button', { name: /^This file/ }).waitFor(),
    ),
    at('the usage', '/usage', (page) => page.locator('svg.recharts-surface').first().waitFor()),
    at('the webhooks', '/webhooks', (page) => page.getByRole('table', { name: 'Deliveries' }).waitFor()),
    at(
      'a new webhook endpoint',
      '/webhooks',
      async (page) => {
        await page.getByRole('button', { name: 'New endpoint' }).click()
        await page.getByRole('dialog').getByText('Selected events').click()
        await page.getByRole('dialog').getByLabel('workflow.published').waitFor()
      },
      { part: dialog },
    ),
    at(
      'a webhook delivery',
      '/webhooks',
      async (page) => {
        await page.getByRole('button', { name: 'webhook.test' }).first().click()
        await page.getByRole('table', { name: 'Attempts' }).waitFor()
      },
      { part: dialog },
    ),
    at('the audit log', '/audit', (page) => page.getByRole('table', { name: 'Audit log' }).waitFor()),
    at('the keys', '/keys', (page) => page.getByText('This session').waitFor()),
    at(
      'a new key',
      '/keys',
      async (page) => {
        await page.getByRole('button', { name: 'New key' }).click()
        await page.getByRole('dialog').waitFor()
      },
      { part: dialog },
    ),
    at(
      'a new signing key',
      '/keys',
      async (page) => {
        await page.getByRole('button', { name: 'New signing key' }).click()
        await page.getByRole('dialog').getByText('Selected workflows').click()
        await page.getByRole('combobox', { name: 'Workflows' }).waitFor()
      },
      { part: dialog },
    ),
    at(
      'finding anything',
      '/keys',
      async (page) => {
        await page.getByText('This session').waitFor()
        await page.keyboard.press('Control+k')
        await page.getByLabel(/^Find an action/).waitFor()
      },
      { part: dialog },
    ),
    at(
      'the shortcuts',
      editor,
      async (page) => {
        await inEditor(page)
        await page.keyboard.press('?')
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      },
      { part: dialog },
    ),
  ]

  describe(`finds nothing serious on any page${isFull ? ', with any dialog open, in light and in dark' : ''}`, () => {
    assert.ok(views.length > 25)
    const page = sharedPage(of, '/workflows')
    for (const view of views.filter(({ part }) => isFull || part === undefined))
      test(view.name, () => withScreenshot(page(), () => inEachScheme(page(), view)))
  })

  if (isFull)
    describe('finds nothing serious on a phone', () => {
      const phone = [
        'the gallery',
        'the settings of a parameter',
        'the app view',
        'the executions',
        'the storage',
        'the keys',
        'the webhooks',
        'the history of an image',
      ]
      const found = views.filter(({ name }) => phone.includes(name))
      assert.equal(found.length, phone.length)
      const page = sharedPage(of, '/workflows', { width: 390, height: 844 })
      for (const view of found)
        test(view.name, () =>
          withScreenshot(page(), async () => {
            await page().goto(pathOf(view))
            if (view.name !== 'the settings of a parameter') await view.open?.(page())
            else await card(page(), 'curved').waitFor()
            assert.deepEqual(await seriousViolations(page()), [])
          }),
        )
    })
})

const pathOf = ({ path }: View): string => (typeof path === 'string' ? path : path())

/** Light, and in the full run dark as well. */
const schemes = isFull ? (['light', 'dark'] as const) : (['light'] as const)

async function inEachScheme(page: Page, view: View): Promise<void> {
  const { isOnSamePage, open } = view
  const path = pathOf(view)
  const isThere = isOnSamePage === true && new URL(page.url()).pathname === path
  if (!isThere) await page.goto(path)
  await open?.(page)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    // The other rules find the same in both.
    assert.deepEqual(await seriousViolations(page, { isOnlyColours: colorScheme === 'dark' }), [], colorScheme)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
