/** The launch card from an empty canvas: once with the mouse, once with the keyboard only. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { upload } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, field, inspector, outputCard, result, select, waitUntilLoaded } from './harness/editor.ts'
import { fill } from './harness/fill.ts'
import { chooseByArrows, reach, type } from './harness/keys.ts'
import { addAt, addBehind, connect, rename } from './harness/mouse.ts'

const photograph = new URL('../../examples/samples/coffee.jpg', import.meta.url)
const headline = 'New: hello from Tintype'

/** The document of the launch card. `fit: shrink` is the default of a title. */
const launchCard = {
  name: 'Launch card',
  parameters: [
    { name: 'photo', type: 'string', required: true, description: 'An image id or URL' },
    { name: 'headline', type: 'string', required: true },
    { name: 'width', type: 'number', default: 1200, minimum: 200, maximum: 4000 },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    cover: {
      type: 'resize',
      inputs: { image: 'photo' },
      params: { width: '{{ width }}', height: 630, fit: 'cover', position: 'attention' },
    },
    shade: { type: 'gradient', params: { width: '{{ width }}', height: 630, from: '#0000', to: '#000c', angle: 180 } },
    shaded: { type: 'composite', inputs: { image: 'cover', overlay: 'shade' } },
    title: {
      type: 'text',
      inputs: { image: 'shaded' },
      params: {
        text: '{{ headline | truncate: 80 }}',
        box: { x: 64, y: 400, width: '{{ width | minus: 128 }}', height: 180 },
        size: 64,
        weight: 700,
        color: 'white',
      },
    },
    badge: {
      type: 'composite',
      when: "{{ headline contains 'New' }}",
      inputs: { image: 'title', overlay: 'ribbon' },
      params: { position: 'north-east' },
    },
    ribbon: { type: 'qr', params: { text: 'https://example.com', size: 96 } },
  },
  output: { node: 'badge', format: 'webp', quality: 82 },
}

consoleTests('the launch card from an empty canvas', (of) => {
  test('it is built, run and published with the mouse', async () => {
    const { api, visit } = of()
    await upload(api, await readFile(photograph), 'the photograph.jpg')
    await visit(
      '/workflows',
      async ({ page }) => {
        await page.getByRole('button', { name: 'New workflow' }).first().click()
        await page.getByRole('textbox', { name: 'Name of the workflow' }).fill('Launch card')
        await declare(page, 0, 'photo', { required: true, description: 'An image id or URL' })
        await declare(page, 1, 'headline', { required: true })
        await declare(page, 2, 'width', { type: 'number', default: 1200, minimum: 200, maximum: 4000 })

        await addAt(page, 0.2, 0.3, 'photo')
        await addBehind(page, 'photo', 'Resize')
        await rename(page, 'cover')
        await chooseParameter(page, 'cover', 'width', 'width')
        await fillAll(page, 'cover', { height: 630, fit: 'cover', position: 'attention' })

        await addAt(page, 0.2, 0.7, 'Gradient')
        await rename(page, 'shade')
        await chooseParameter(page, 'shade', 'width', 'width')
        await fillAll(page, 'shade', { height: 630, from: '#0000', to: '#000c', angle: 180 })

        await addBehind(page, 'cover', 'Composite')
        await rename(page, 'shaded')
        await connect(page, 'shade', 'shaded', 'overlay')
        await addBehind(page, 'shaded', 'Text')
        await rename(page, 'title')
        await fillAll(page, 'title', { text: '{{ headline | truncate: 80 }}', size: 64, fit: 'shrink' })
        await fillAll(page, 'title', { weight: 700, color: 'white', box: { x: 64, y: 400, height: 180 } })
        await template(page, 'title', 'box.width', '{{ width | minus: 128 }}')

        await addBehind(page, 'title', 'Composite')
        await rename(page, 'badge')
        await fill(page, 'nodes.badge.params.position', 'north-east')
        await inspector(page).getByRole('button', { name: /^Flow/ }).click()
        await field(page, 'nodes.badge.when').getByRole('combobox').fill("{{ headline contains 'New' }}")
        await addAt(page, 0.5, 0.8, 'QR code')
        await rename(page, 'ribbon')
        await fillAll(page, 'ribbon', { text: 'https://example.com', size: 96 })
        await connect(page, 'ribbon', 'badge', 'overlay')
        await page.getByRole('button', { name: 'Show everything' }).click()
        await select(page, outputCard)
        await fill(page, 'output.format', 'webp')
        await fill(page, 'output.quality', 82)

        const run = page.getByRole('region', { name: 'Run' })
        await run.getByRole('button', { name: 'Show the run panel' }).click()
        await field(page, 'parameters.photo').getByRole('button', { name: 'Choose', exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'the photograph.jpg' }).click()
        await field(page, 'parameters.headline').getByRole('textbox').fill(headline)
        await run.getByRole('button', { name: 'Run', exact: true }).click()
        await waitUntilLoaded(result(page))
        await run.getByText('1200 × 630 · webp').waitFor()
        for (const id of Object.keys(launchCard.nodes)) await waitUntilLoaded(card(page, id).locator('img'))

        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
        await page.getByText('Version 1', { exact: true }).waitFor()
        await isLaunchCard(page)
      },
      { width: 1440, height: 900 },
    )
  })

  test('it is built, run and published with nothing but keys', async () => {
    const { api, visit } = of()
    const { id: imageId } = await upload(api, await readFile(photograph), 'coffee.jpg')
    await visit(
      '/workflows',
      async ({ page }) => {
        const keys = page.keyboard
        await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
        await keys.press('n')
        await page.getByText('Nothing here yet').waitFor()
        await reach(page, page.getByRole('textbox', { name: 'Name of the workflow' }))
        await type(page, 'Launch card')
        await declareByKeys(page, 0, 'photo', { required: true, description: 'An image id or URL' })
        await declareByKeys(page, 1, 'headline', { required: true })
        await declareByKeys(page, 2, 'width', { type: 'number', default: 1200, minimum: 200, maximum: 4000 })

        await keys.press('Escape')
        await addByKeys(page, '/', 'photo')
        await addByKeys(page, 'a', 'Resize')
        await enterAll(page, 'resize', 'cover', {
          width: '{{ width }}',
          height: 630,
          fit: 'cover',
          position: 'attention',
        })
        await keys.press('Escape')
        await keys.press('Escape')
        await addByKeys(page, '/', 'Gradient')
        await enterAll(page, 'gradient', 'shade', {
          width: '{{ width }}',
          height: 630,
          from: '#0000',
          to: '#000c',
          angle: 180,
        })
        await reach(page, card(page, 'cover'))
        await addByKeys(page, 'a', 'Composite')
        await enterAll(page, 'composite', 'shaded', {})
        await connectByKeys(page, 'shade', 'shaded · overlay')
        await reach(page, card(page, 'shaded'))
        await addByKeys(page, 'a', 'Text')
        const box = { x: 64, y: 400, width: '{{ width | minus: 128 }}', height: 180 }
        const text = '{{ headline | truncate: 80 }}'
        await enterAll(page, 'text', 'title', { text, size: 64, box, weight: 700, color: 'white' })
        await addByKeys(page, 'a', 'Composite')
        await enterAll(page, 'composite', 'badge', { position: 'north-east' })
        await keys.press('Enter')
        await reach(page, inspector(page).getByRole('button', { name: /^Flow/ }))
        await keys.press('Enter')
        await reach(page, field(page, 'nodes.badge.when').getByRole('combobox'))
        await enterTemplate(page, "{{ headline contains 'New' }}")
        await keys.press('Escape')
        await keys.press('Escape')
        await addByKeys(page, '/', 'QR code')
        await enterAll(page, 'qr', 'ribbon', { text: 'https://example.com', size: 96 })
        await connectByKeys(page, 'ribbon', 'badge · overlay')
        await reach(page, card(page, outputCard))
        await keys.press('Enter')
        await enter(page, 'output.format', 'webp')
        await enter(page, 'output.quality', 82)
        await keys.press('Escape')

        await keys.press('r')
        await enter(page, 'parameters.photo', imageId)
        await enter(page, 'parameters.headline', headline)
        await keys.press('Control+Enter')
        await waitUntilLoaded(result(page))
        await page.getByText('1200 × 630 · webp').waitFor()
        await reach(page, page.getByRole('button', { name: 'Publish', exact: true }))
        await keys.press('Enter')
        await page.getByRole('dialog').waitFor()
        await reach(page, page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
        await keys.press('Enter')
        await page.getByText('Version 1', { exact: true }).waitFor()
        await isLaunchCard(page)
      },
      { width: 1440, height: 900 },
    )
  })

  /** Checks that the published document equals the expected one. */
  async function isLaunchCard(page: Page): Promise<void> {
    const { api } = of()
    const [, workflowId] = /\/workflows\/(\w+)/.exec(page.url()) ?? []
    const { layout: _, ...document } = ok(
      await api.get<typeof launchCard & { layout: object }>(`/workflows/${workflowId}/document`),
    )
    assert.deepEqual(document, launchCard)
  }
})

async function declare(page: Page, index: number, name: string, facts: Record<string, unknown>): Promise<void> {
  await inspector(page).getByRole('button', { name: 'Add a parameter' }).click()
  const path = `parameters.${index}`
  const entry = field(page, `${path}.name`).getByRole('textbox')
  await entry.fill(name)
  await entry.press('Enter')
  for (const [fact, value] of Object.entries(facts)) await fill(page, `${path}.${fact}`, value)
}

async function declareByKeys(
  page: Page,
  index: number,
  name: string,
  facts: Record<string, string | number | boolean>,
): Promise<void> {
  await reach(page, inspector(page).getByRole('button', { name: 'Add a parameter' }))
  await page.keyboard.press('Enter')
  await reach(page, field(page, `parameters.${index}.name`).getByRole('textbox'))
  await type(page, name)
  await page.keyboard.press('Enter')
  for (const [fact, value] of Object.entries(facts)) await enter(page, `parameters.${index}.${fact}`, value)
}

async function addByKeys(page: Page, opener: string, name: string): Promise<void> {
  await page.keyboard.press(opener)
  await page.getByRole('combobox', { name: 'Add a node' }).waitFor()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.locator('.react-flow__node.selected:focus').waitFor()
}

/** Sets the id and the params of the focused card, then returns to the card. */
async function enterAll(page: Page, before: string, id: string, params: Record<string, unknown>): Promise<void> {
  await page.keyboard.press('e')
  await page.locator(`[data-path^="nodes.${before}."] :focus`).waitFor()
  await reach(page, inspector(page).getByRole('textbox', { name: 'Id of the node' }))
  await type(page, id)
  await page.keyboard.press('Enter')
  await card(page, id).waitFor()
  for (const [name, value] of Object.entries(params)) await enter(page, `nodes.${id}.params.${name}`, value)
  await page.keyboard.press('Escape')
  await card(page, id).and(page.locator(':focus')).waitFor()
}

/** Enters a value with the widget of a field, which is reached with Tab. */
async function enter(page: Page, path: string, value: unknown): Promise<void> {
  const fieldElement = field(page, path)
  // Its widget decides how the value is entered.
  await fieldElement.waitFor({ state: 'attached' })
  if (typeof value === 'object' && value !== null) {
    await reach(page, fieldElement.getByRole('button', { name: /^Add / }))
    await page.keyboard.press('Enter')
    await fieldElement.locator('legend').waitFor()
    for (const [name, child] of Object.entries(value)) await enter(page, `${path}.${name}`, child)
    return
  }
  const isText = (await fieldElement.getByRole('combobox').and(page.locator('textarea')).count()) > 0
  if (!isText && String(value).includes('{{')) {
    await reach(page, fieldElement.getByRole('button', { name: /^Value or template/ }))
    await page.keyboard.press('Enter')
    await chooseByArrows(page, page.getByRole('menuitem', { name: 'A template' }))
    await reach(page, fieldElement.getByRole('combobox'))
    return enterTemplate(page, String(value))
  }
  const options = fieldElement.getByRole('radio')
  if ((await options.count()) > 0) {
    await reach(page, fieldElement.locator('input[type=radio]:checked').or(options.first()))
    for (let step = 0; step < 20; step++) {
      if (await fieldElement.getByRole('radio', { name: String(value), exact: true }).isChecked()) return
      await page.keyboard.press('ArrowRight')
    }
    throw new Error(`The arrows never chose ${value} of ${path}.`)
  }
  if (typeof value === 'boolean') {
    await reach(page, fieldElement.getByRole('switch'))
    return page.keyboard.press('Space')
  }
  const box = fieldElement.locator('textarea, input:not([type=hidden])').first()
  const byUrl = fieldElement.getByRole('button', { name: 'By URL' })
  if ((await box.count()) === 0 && (await byUrl.count()) > 0) {
    await reach(page, byUrl)
    await page.keyboard.press('Enter')
  }
  await reach(page, box)
  const list = fieldElement.locator('input[aria-haspopup=listbox]')
  if ((await list.count()) > 0) {
    await page.keyboard.press('ArrowDown')
    return chooseByArrows(page, page.getByRole('option', { name: String(value), exact: true }))
  }
  return String(value).includes('{{') ? enterTemplate(page, String(value)) : type(page, String(value))
}

/** Types a template. The editor closes braces and completes names, and typing continues over them. */
async function enterTemplate(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
  if ((await page.locator(':focus[aria-expanded=true]').count()) > 0) await page.keyboard.press('Escape')
}

/** Connects a socket with its select box, which is reached with Tab. */
async function connectByKeys(page: Page, source: string, socket: string): Promise<void> {
  await reach(page, card(page, source))
  await page.keyboard.press('c')
  await page.getByRole('combobox', { name: `Connect ${source} to` }).waitFor()
  await page.keyboard.type(socket.replace(' · ', ' '))
  await page.keyboard.press('Enter')
}

async function fillAll(page: Page, id: string, params: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(params)) await fill(page, `nodes.${id}.params.${name}`, value)
}

async function chooseParameter(page: Page, id: string, param: string, parameter: string): Promise<void> {
  await field(page, `nodes.${id}.params.${param}`)
    .getByRole('button', { name: /^Value or template/ })
    .click()
  await page.getByRole('menuitem', { name: parameter, exact: true }).click()
}

async function template(page: Page, id: string, param: string, text: string): Promise<void> {
  const fieldElement = field(page, `nodes.${id}.params.${param}`)
  await fieldElement.getByRole('button', { name: /^Value or template/ }).click()
  await page.getByRole('menuitem', { name: 'A template' }).click()
  await fieldElement.getByRole('combobox').fill(text)
}
