/**
 * Operations as a user finds them in the editor: added, filled from the example, run, and shown. By default a selection
 * with every kind of field and socket; with TEST_FULL=all all operations.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { parse } from 'yaml'
import { ok } from '../harness/client.ts'
import { isExhaustive } from '../harness/repetitions.ts'
import { upload } from '../harness/workflows.ts'
import { consoleTests, withScreenshot } from './harness/console.ts'
import {
  addNode,
  card,
  focusCanvas,
  makeOutput,
  newDraft,
  paste,
  run,
  select,
  storedDraft,
  waitUntilLoaded,
  wire,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'

interface Field {
  type?: string
  enum?: unknown[]
  'x-widget'?: string
}

interface Operation {
  id: string
  title: string
  inputs: { name: string; required: boolean; many: boolean }[]
  outputs: { image: string | null; values: Record<string, unknown> }
  params: { properties?: Record<string, Field> }
  examples: { params: Record<string, unknown> }[]
}

const samples = new URL('../../examples/samples/', import.meta.url)
const pages = new URL('../../docs/operations/', import.meta.url)
const files = [
  'coffee.jpg',
  'cat.jpg',
  'badge.png',
  'mark.svg',
  'portrait.jpg',
  'receipt.png',
  'cup-mask.png',
  'ball.gif',
]

/** The image for a socket, or for an operation if the content of the image matters. */
const bySocket: Record<string, string> = {
  mask: 'cup-mask.png',
  overlay: 'badge.png',
  mark: 'badge.png',
  reference: 'cat.jpg',
}
const byOperation: Record<string, string> = {
  frames: 'ball.gif',
  faces: 'portrait.jpg',
  'remove-background': 'portrait.jpg',
  ocr: 'receipt.png',
  trim: 'badge.png',
  'drop-shadow': 'mark.svg',
  outline: 'mark.svg',
  glow: 'mark.svg',
}
/** The size of the example is not available in the first model of the list. */
const moreParams: Record<string, Record<string, unknown>> = {
  generate: { model: 'fal/fal-ai/flux/schnell' },
  // It contains the id of the connected node.
  html: { html: '<img src="node:sample-coffee"><h1>Fresh coffee</h1>' },
}
/** The number of operations per page. A new page limits the effect of a failure. */
const perPage = 13
/** The number when this test was written. The catalogue only grows. */
const operationsMin = 75

consoleTests('the catalogue in the editor', (of) => {
  const which = isExhaustive ? 'each operation' : 'an operation with each kind of field and socket'
  test(`${which} can be added, filled from its example, run and shown`, async (t) => {
    const { api } = of()
    const { operations } = ok(await api.get<{ operations: Operation[] }>('/operations'))
    assert.ok(operations.length >= operationsMin, `found ${operations.length}`)
    const images = new Map<string, string>()
    for (const file of files) images.set(file, (await upload(api, await readFile(new URL(file, samples)), file)).id)
    const met = isExhaustive ? operations : withEveryKind(operations)
    const parts = Array.from({ length: Math.ceil(met.length / perPage) }, (_, index) =>
      met.slice(index * perPage, (index + 1) * perPage),
    )
    for (const each of parts) await onePage(t, each, images)
  })

  async function onePage(t: TestContext, operations: Operation[], images: Map<string, string>): Promise<void> {
    const { api, visit } = of()
    const workflowId = await newDraft(api)
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await focusCanvas(page)
        await paste(page, JSON.stringify({ nodes: sources(images) }))
        await card(page, nodeOf('ball.gif')).waitFor()
        for (const operation of operations)
          await t.test(operation.id, (t) => withScreenshot(page, () => meet(t, page, workflowId, operation, images)))
      },
      { width: 1440, height: 900 },
    )
  }

  async function meet(
    t: TestContext,
    page: Page,
    workflowId: string,
    operation: Operation,
    images: Map<string, string>,
  ): Promise<void> {
    const { api } = of()
    const id = await addNode(page, operation.title)
    for (const [socket, file] of await inputsOf(operation)) await wire(page, nodeOf(file), socket)
    const params = paramsOf(operation, images)
    for (const [name, value] of Object.entries(params)) await fill(page, `nodes.${id}.params.${name}`, value)
    const hasImage = operation.outputs.image !== null
    const shownId = hasImage ? id : await showText(page, id)
    await makeOutput(page, shownId)
    const { error, output } = await run(page, api)
    if (/models add/.test(error?.message ?? '')) {
      // The page moves the focus there some frames after the failure.
      await page.locator(`[data-path^="nodes.${id}."] :focus`).waitFor()
      return t.skip(error?.message)
    }
    assert.equal(error, undefined, JSON.stringify(error))
    assert.ok(output)
    await waitUntilLoaded(card(page, shownId).locator('img'))
    const node = (await storedDraft(api, workflowId)).nodes[id]
    assert.equal(node?.type, operation.id)
    for (const [name, value] of Object.entries(params)) assert.deepEqual(node?.params?.[name], value, name)
    // Keeps the graph small.
    await focusCanvas(page)
    await page.keyboard.press('Escape')
    // The run panel has taken the space of some cards.
    await page.keyboard.press('.')
    for (const nodeId of new Set([shownId, id])) {
      await select(page, nodeId)
      await page.keyboard.press('Shift+Delete')
      await card(page, nodeId).waitFor({ state: 'detached' })
    }
  }
})

/** Leaves out an operation if earlier ones have all its kinds of fields and sockets. */
function withEveryKind(operations: Operation[]): Operation[] {
  const seen = new Set<string>()
  return operations.filter((operation) => {
    const kinds = kindsOf(operation)
    const isNew = kinds.some((kind) => !seen.has(kind))
    for (const kind of kinds) seen.add(kind)
    return isNew
  })
}

/** The kinds of the fields that its example fills, of its sockets and of its output. */
function kindsOf({ inputs, outputs, params: { properties = {} }, examples: [example] }: Operation): string[] {
  const fields = Object.keys(example?.params ?? {}).map((name) => properties[name] ?? {})
  return [
    ...fields.map((field) => `field ${field['x-widget'] ?? ''} ${field.type ?? 'any of'} ${field.enum !== undefined}`),
    ...inputs.map(({ required, many }) => `socket ${required} ${many}`),
    `${inputs.length} sockets`,
    `output ${outputs.image !== null}`,
  ]
}

/** Shows the text output of an operation without an image. */
async function showText(page: Page, id: string): Promise<string> {
  const text = await addNode(page, 'Text')
  await fill(page, `nodes.${text}.params.text`, `{{ nodes.${id}.text }}`)
  return text
}

function sources(images: Map<string, string>): Record<string, object> {
  return Object.fromEntries([...images].map(([file, source]) => [nodeOf(file), { type: 'image', params: { source } }]))
}

function nodeOf(file: string): string {
  return `sample-${file.replace(/\.\w+$/, '')}`
}

/** The inputs of the first example on the operation's page: socket and file, one entry per image. */
async function inputsOf({ id }: Operation): Promise<[string, string][]> {
  const page = await readFile(new URL(`${id}.md`, pages), 'utf8')
  const [, text = ''] = /## Examples[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? []
  const example = parse(text) as Record<string, { inputs?: Record<string, string | string[]> }>
  const file = (socket: string, index: number) =>
    byOperation[id] ?? bySocket[socket] ?? ['coffee.jpg', 'cat.jpg'][index % 2] ?? ''
  return Object.entries(example[id]?.inputs ?? {}).flatMap(([socket, nodes]) =>
    [nodes].flat().map((_, index): [string, string] => [socket, file(socket, index)]),
  )
}

/** The params of the first example. It names sources by file, and local models by a short name. */
function paramsOf(
  { id, params: { properties = {} }, examples: [example] }: Operation,
  images: Map<string, string>,
): Record<string, unknown> {
  const entries = Object.entries({ ...example?.params, ...moreParams[id] })
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const widget = properties[name]?.['x-widget']
      if (widget === 'image') return [name, images.get(String(value)) ?? value]
      return [name, widget === 'model' && !String(value).includes('/') ? `local/${value}` : value]
    }),
  )
}
