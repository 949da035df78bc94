/** Undo, copy and paste, import from files, and problems. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { stringify } from 'yaml'
import { copiedBy } from './harness/clipboard.ts'
import { consoleTests } from './harness/console.ts'
import {
  addNode,
  canvasOf,
  card,
  type DraftDocument,
  draftWith,
  field,
  focusCanvas,
  inspector,
  newDraft,
  paste,
  run,
  runStatus,
  select,
  waitUntilSaved,
  waitUntilStill,
} from './harness/editor.ts'
import { drop, transferOf } from './harness/files.ts'
import { fill } from './harness/fill.ts'

/** Two unconnected nodes. */
function sheets(): DraftDocument {
  return {
    name: 'Sheets',
    nodes: {
      red: { type: 'canvas', params: { width: 60, height: 40, color: 'red' } },
      blue: { type: 'canvas', params: { width: 60, height: 40, color: 'blue' } },
      both: { type: 'stack', inputs: { images: ['red', 'blue'] }, params: { direction: 'horizontal' } },
    },
    output: { node: 'both', format: 'png' },
    layout: { red: [0, 0], blue: [0, 240], both: [320, 100] },
  }
}

consoleTests('editing a workflow', (of) => {
  test('every change can be undone and redone: params, names, deletions, pastes, places, layout', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheets())
    const isFirst = (document: DraftDocument) => same(document, sheets())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await select(page, 'red')
      await fill(page, 'nodes.red.params.width', 90)
      await fill(page, 'nodes.red.params.color', 'green')
      const id = inspector(page).getByRole('textbox', { name: 'Id of the node' })
      await id.fill('green')
      await id.press('Enter')
      await drag(page, 'blue', 90, 40)
      await focusCanvas(page)
      await page.keyboard.press('Escape')
      await paste(page, JSON.stringify({ nodes: { more: { type: 'qr', params: { text: 'x', size: 64 } } } }))
      await card(page, 'more').waitFor()
      await select(page, 'blue')
      await page.keyboard.press('Delete')
      await card(page, 'blue').waitFor({ state: 'detached' })
      await focusCanvas(page)
      await page.keyboard.press('l')
      await page.getByRole('button', { name: 'Undo: Arrange' }).waitFor()
      await waitUntilSaved(page)
      const last = await draftWith(api, workflowId, 'all of it', ({ nodes, layout }) => {
        return !('blue' in nodes) && 'more' in nodes && 'green' in nodes && layout?.$output !== undefined
      })

      const undone: string[] = []
      for (;;) {
        const [, label] = /^Undo: (.*)/.exec(await undoLabel(page)) ?? []
        if (label === undefined) break
        undone.push(label)
        await focusCanvas(page)
        await page.keyboard.press('Control+z')
        await page.getByRole('button', { name: `Redo: ${label}`, exact: true }).waitFor()
      }
      assert.deepEqual(undone, [
        'Arrange',
        'Delete blue',
        'Paste a node',
        'Move blue',
        'Rename red',
        'Change color of red',
        'Change width of red',
      ])
      await draftWith(api, workflowId, 'nothing changed', isFirst)
      for (const _ of undone) await page.keyboard.press('Control+Shift+z')
      await page.getByRole('button', { name: 'Nothing to redo' }).waitFor()
      await draftWith(api, workflowId, 'everything done again', (document) => same(document, last))
    })
  })

  test('copied nodes are JSON, and can be pasted into another workflow with their wires', async () => {
    const { api, visit } = of()
    const [from, to] = [await newDraft(api, sheets()), await newDraft(api)]
    await visit(
      `/workflows/${from}`,
      async ({ page }) => {
        await card(page, 'both').waitFor()
        await focusCanvas(page)
        await page.keyboard.press('Control+a')
        const text = await copiedBy(page, () => page.keyboard.press('Control+c'))
        assert.deepEqual((JSON.parse(text) as DraftDocument).nodes, sheets().nodes)
        await page.goto(`/workflows/${to}`)
        await page.getByText('Nothing here yet').waitFor()
        await focusCanvas(page)
        await page.keyboard.press('Control+v')
        await page.keyboard.press('Control+v')
        await card(page, 'both-2').waitFor()
        const { nodes } = await draftWith(
          api,
          to,
          'both copies',
          (document) => Object.keys(document.nodes).length === 6,
        )
        assert.deepEqual(nodes.both, sheets().nodes.both)
        assert.deepEqual(nodes['both-2']?.inputs, { images: ['red-2', 'blue-2'] })
      },
      { hasClipboard: true },
    )
  })

  test('an SVG that is imported on the page of workflows becomes a draft with parameters', async () => {
    const { api, visit } = of()
    const sample = new URL('../svg-import/samples/figma-photo.svg', import.meta.url).pathname
    await visit('/', async ({ page }) => {
      await page.getByRole('button', { name: 'Import' }).first().waitFor()
      await page.locator('input[type="file"][accept*=".svg"]').first().setInputFiles(sample)
      await page.getByText('3 layers are parameters').waitFor()
      await card(page, 'card').waitFor()
      const workflowId = /workflows\/(wf_\w+)/.exec(page.url())?.[1] ?? ''
      await draftWith(api, workflowId, 'an uploaded image', ({ parameters }) =>
        /^img_/.test(String(parameters?.find(({ name }) => name === 'product-photo')?.default)),
      )
    })
  })

  test('a YAML file that is dropped on an empty canvas becomes the workflow', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await page.getByText('Nothing here yet').waitFor()
      await dropText(page, 'sheets.yaml', stringify(sheets()))
      await card(page, 'both').waitFor()
      await page.getByRole('textbox', { name: 'Name of the workflow' }).and(page.locator('[value="Sheets"]')).waitFor()
      await draftWith(api, workflowId, 'what was dropped', (document) => same(document, sheets()))
      await dropText(page, 'notes.txt', 'Buy milk.')
      await page.getByText('notes.txt isn’t a workflow document or a part of one.').first().waitFor()
    })
  })

  test('a file that is chosen in the gallery creates a workflow', async () => {
    const { visit } = of()
    await visit('/workflows', async ({ page }) => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Import' }).click()
      const buffer = Buffer.from(JSON.stringify(sheets()))
      await (await choosing).setFiles([{ name: 'sheets.json', mimeType: 'application/json', buffer }])
      await card(page, 'both').waitFor()
    })
  })

  test('issues of the API are shown at their fields, and the problem list links to them', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheets())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await select(page, 'red')
      await fill(page, 'nodes.red.params.width', 99_999)
      await fill(page, 'nodes.red.params.color', 'reddish')
      const width = field(page, 'nodes.red.params.width')
      await width.and(page.locator('[data-wrong]')).getByText('16384').waitFor()
      await card(page, 'red').getByRole('img', { name: '2 problems' }).waitFor()
      await select(page, 'blue')
      await page.getByRole('button', { name: '2 problems' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /red · color/ })
        .click()
      await page.locator('[data-path="nodes.red.params.color"] :focus').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('Escape')
      await page.keyboard.press('F8')
      await page.locator('[data-path="nodes.red.params.width"] :focus').waitFor()
      await fill(page, 'nodes.red.params.width', 60)
      await fill(page, 'nodes.red.params.color', 'red')
      await page.getByRole('button', { name: /problem/ }).waitFor({ state: 'detached' })
    })
  })

  test('the problem of a template is shown once, at its field', async () => {
    const { api, visit } = of()
    const document = sheets()
    document.nodes.title = { type: 'text', inputs: { image: 'both' }, params: { text: '{{ headlin }}', size: 12 } }
    document.parameters = [{ name: 'headline', type: 'string' }]
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await select(page, 'title')
      const problem = field(page, 'nodes.title.params.text').getByText(
        'uses the parameter "headlin", which does not exist',
      )
      await problem.and(page.getByText(/^Text uses/)).waitFor()
      assert.equal(await problem.count(), 1)
    })
  })

  test('a parameter that a template uses is created at the problem', async () => {
    const { api, visit } = of()
    const document = sheets()
    document.nodes.title = { type: 'text', inputs: { image: 'both' }, params: { text: '{{ sty }}', size: 12 } }
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await select(page, 'title')
      const problem = field(page, 'nodes.title.params.text').getByText(/^Text uses the parameter "sty"/)
      await field(page, 'nodes.title.params.text').getByRole('button', { name: 'Create it: sty' }).click()
      await problem.waitFor({ state: 'detached' })
      await page.keyboard.press('Control+z')
      await problem.waitFor()
    })
  })

  test('Ctrl+Enter in a select runs the workflow, and "/" on a button adds a node', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Keys',
      nodes: {
        sheet: { type: 'canvas', params: { width: 60, height: 40, color: 'red' } },
        small: { type: 'resize', inputs: { image: 'sheet' }, params: { width: 30 } },
      },
      output: { node: 'small', format: 'png' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'small').waitFor()
      await select(page, 'small')
      await field(page, 'nodes.small.params.fit').getByRole('combobox').focus()
      await page.keyboard.press('Control+Enter')
      await runStatus(page)
        .getByText(/Done in/)
        .waitFor()
      await field(page, 'nodes.small.params.fit').getByRole('button').first().focus()
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
    })
  })

  test('a box has the size of the image and is undone at its field, and a new parameter gets its name', async () => {
    const { api, visit } = of()
    const gradient = { type: 'gradient', params: { width: 1200, height: 630, from: 'teal', to: 'navy' } }
    const title = { type: 'text', inputs: { image: 'sky' }, params: { text: 'Hello' } }
    const document = { name: 'Boxed', nodes: { sky: gradient, title }, output: { node: 'title' } }
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await select(page, 'title')
      await page.getByRole('button', { name: 'Add Box' }).click()
      await page.locator('[data-path^="nodes.title.params.box."] :focus').waitFor()
      const { nodes } = await draftWith(api, workflowId, 'a box', ({ nodes }) => nodes.title?.params?.box !== undefined)
      assert.deepEqual(nodes.title?.params?.box, { x: 0, y: 0, width: 1200, height: 630 })
      await page.keyboard.press('Control+z')
      await page.getByRole('button', { name: 'Add Box' }).waitFor()
      await draftWith(api, workflowId, 'no box', ({ nodes }) => nodes.title?.params?.box === undefined)

      await page.getByRole('button', { name: 'Value or template: Text' }).click()
      await page.getByRole('menuitem', { name: 'A new parameter' }).click()
      const dialog = page.getByRole('dialog', { name: 'New parameter' })
      const name = dialog.getByRole('textbox', { name: 'Name' })
      await name.and(page.locator(':focus')).waitFor()
      assert.equal(await name.inputValue(), 'text')
      await name.fill('no name')
      await name.press('Enter')
      await dialog.getByText('A name starts with a letter').waitFor()
      await name.fill('headline')
      await name.press('Enter')
      const made = await draftWith(api, workflowId, 'a parameter', ({ parameters = [] }) => parameters.length > 0)
      assert.deepEqual(made.parameters, [{ name: 'headline', type: 'string', default: 'Hello' }])
      assert.equal(made.nodes.title?.params?.text, '{{ headline }}')
    })
  })

  test('a missing value is marked as missing, not as an error', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, sheets())
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const crop = await addNode(page, 'crop')
      await card(page, crop).locator('[data-missing] [aria-label$=", missing"]').waitFor()
      await card(page, crop).getByRole('img', { name: '3 missing', exact: true }).waitFor()
      const width = field(page, 'nodes.crop.params.width')
      await width.getByText('Width is required').waitFor()
      assert.equal(await width.and(page.locator('[data-wrong]')).count(), 0)
      await fill(page, 'nodes.crop.params.width', 99_999)
      await width.and(page.locator('[data-wrong]')).getByText('Width must be').waitFor()
      await card(page, crop).getByRole('img', { name: '3 problems' }).waitFor()
    })
  })

  test('unknown settings are removed together, as one change', async () => {
    const { api, visit } = of()
    const document = sheets()
    const params = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`size${at}`, at]))
    document.nodes.flat = { type: 'invert', inputs: { image: 'both' }, params }
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await select(page, 'flat')
      await inspector(page).getByRole('button', { name: 'Remove size2' }).waitFor()
      assert.equal(
        await inspector(page)
          .getByRole('button', { name: /^Remove size/ })
          .count(),
        3,
      )
      await inspector(page).getByRole('button', { name: 'Remove all 5' }).click()
      await draftWith(api, workflowId, 'no size', ({ nodes }) => Object.keys(nodes.flat?.params ?? {}).length === 0)
      await focusCanvas(page)
      await page.keyboard.press('Control+z')
      await draftWith(api, workflowId, 'every size', ({ nodes }) => Object.keys(nodes.flat?.params ?? {}).length === 5)
    })
  })

  test('a failed step marks its node, shows the reason and opens its settings', async () => {
    const { api, visit } = of()
    const document = sheets()
    document.nodes.cut = { type: 'crop', inputs: { image: 'both' }, params: { x: 500, y: 0, width: 10, height: 10 } }
    document.output = { node: 'cut' }
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'cut').waitFor()
      const { error } = await run(page, api)
      assert.equal(error?.details.node, 'cut')
      await card(page, 'cut').locator('[data-status=failed]').waitFor()
      await card(page, 'cut').getByText(error.message).waitFor()
      await page.locator('[data-path^="nodes.cut."] :focus').waitFor()
      const color = await borderColor(page, 'cut')
      const [red = 0, green = 0, blue = 0] = color.match(/[\d.]+/g)?.map(Number) ?? []
      assert.ok(red > 1.5 * green && red > 1.5 * blue, color)
    })
  })
})

function same(a: object, b: object): boolean {
  try {
    assert.deepEqual(a, b)
    return true
  } catch {
    return false
  }
}

async function undoLabel(page: Page): Promise<string> {
  const button = page.getByRole('toolbar', { name: 'Canvas' }).getByRole('button').first()
  return (await button.getAttribute('aria-label')) ?? ''
}

async function drag(page: Page, id: string, dx: number, dy: number): Promise<void> {
  await waitUntilStill(page)
  const box = await card(page, id).locator('[class*=names]').boundingBox()
  assert.ok(box)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + dx / 2, y + dy / 2, { steps: 3 })
  await page.mouse.move(x + dx, y + dy, { steps: 3 })
  await page.mouse.up()
}

async function dropText(page: Page, name: string, text: string): Promise<void> {
  await drop(canvasOf(page), await transferOf(page, [{ name, type: '', bytes: Buffer.from(text) }]))
}

async function borderColor(page: Page, id: string): Promise<string> {
  const badge = card(page, id).locator('[data-status=failed]')
  return badge.evaluate((element) => {
    const { getComputedStyle } = globalThis as unknown as { getComputedStyle(of: unknown): { borderTopColor: string } }
    return getComputedStyle(element).borderTopColor
  })
}
