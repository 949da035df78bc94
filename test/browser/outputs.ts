/** Several outputs of a workflow: added, changed, removed, run and downloaded in the editor, with the mouse and the keyboard. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import type { Execution } from '../harness/types.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import {
  card,
  draftWith,
  field,
  focusCanvas,
  inspector,
  newDraft,
  outputCard,
  pick,
  run,
  runPanel,
  waitUntilLoaded,
} from './harness/editor.ts'
import { fill } from './harness/fill.ts'

const document = {
  name: 'Poster',
  nodes: {
    sheet: { type: 'gradient', params: { width: 90, height: 60, from: 'teal', to: 'navy' } },
    grey: { type: 'grayscale', inputs: { image: 'sheet' } },
  },
  output: { node: 'sheet', format: 'png' },
}
type Outputs = Record<string, Record<string, unknown>>

consoleTests('several outputs', (of) => {
  test('an output is added, gets a node, a format, a quality and a name, runs and is downloaded', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await add(page, 'Image')
      // The generated name is selected.
      const name = field(page, 'outputs.small.$name').getByRole('textbox')
      await name.and(page.locator(':focus')).waitFor()
      await page.keyboard.type('grey photo')
      await page.getByText('A name starts with a letter a-z').waitFor()
      await name.fill('web')
      await page.keyboard.press('Enter')
      await pick(page, inspector(page).getByRole('combobox', { name: 'Image of web' }), 'grey')
      await fill(page, 'outputs.web.format', 'webp')
      await fill(page, 'outputs.web.quality', 40)
      await fill(page, 'outputs.web.width', 45)
      const web = { node: 'grey', format: 'webp', quality: 40, width: 45 }
      await outputsOf(api, id, 'the settings', { web })
      // The canvas has the wire, and the output card its socket.
      await card(page, outputCard).getByText('web', { exact: true }).waitFor()
      const { executionId } = await run(page, api)
      const { outputs = [] } = ok(
        await api.get<Execution & { outputs?: File[] }>(`/workflows/executions/${executionId}`),
      )
      assert.deepEqual(
        outputs.map(({ name, format, width, height }) => ({ name, format, width, height })),
        [{ name: 'web', format: 'webp', width: 45, height: 30 }],
      )
      const panel = runPanel(page)
      await panel.getByRole('tab', { name: 'web' }).click()
      await waitUntilLoaded(page.getByRole('img', { name: 'The result: web' }))
      await panel.getByText('45 × 30 · webp').waitFor()
      const downloading = page.waitForEvent('download')
      await panel.getByRole('link', { name: 'Download the image' }).click()
      const file = await downloading
      assert.match(file.suggestedFilename(), /\.webp$/)
      assert.equal(await file.failure(), null)
      assert.deepEqual(await seriousViolations(page), [])
    })
  })

  test('presets add a crop and an output, removing is undone, and the run shows each file', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await add(page, 'Link preview')
      await add(page, 'Square')
      await add(page, 'Square')
      const crops = {
        'link-preview': { node: 'link-preview' },
        square: { node: 'square' },
        'square-2': { node: 'square-2' },
      }
      const { nodes } = await outputsOf(api, id, 'the presets', crops)
      assert.deepEqual(nodes['link-preview'], {
        type: 'resize',
        inputs: { image: 'sheet' },
        params: { width: 1200, height: 630, fit: 'cover', position: 'attention' },
      })
      await inspector(page).getByRole('button', { name: 'Remove the output square-2' }).click()
      const { 'square-2': _, ...kept } = crops
      await outputsOf(api, id, 'one output less', kept)
      await page.getByRole('button', { name: 'Undo' }).click()
      await outputsOf(api, id, 'the output again', crops)
      await page.getByRole('button', { name: 'Redo' }).click()
      await outputsOf(api, id, 'the output removed again', kept)
      await add(page, 'Set of images')
      await fill(page, 'outputs.photo.widths', [30, 60])
      await fill(page, 'outputs.photo.formats', ['webp', 'png'])
      await add(page, 'PDF')
      await outputsOf(api, id, 'all outputs', {
        ...kept,
        photo: { node: 'sheet', widths: [30, 60], formats: ['webp', 'png'] },
        document: { node: 'sheet', format: 'pdf', pageSize: 'A4' },
      })
      await run(page, api)
      const tabs = runPanel(page).getByRole('tab')
      assert.deepEqual(await tabs.allTextContents(), [
        'Output',
        'link-preview',
        'square',
        'photo',
        'document',
        'All (8)',
      ])
      await tabs.filter({ hasText: 'photo' }).click()
      await pick(page, runPanel(page).getByRole('combobox', { name: 'File of photo' }), '60 px png')
      await runPanel(page).getByText('60 × 40 · png').waitFor()
      await tabs.filter({ hasText: 'document' }).click()
      await runPanel(page).getByText('1 page').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
    })
  })

  test('outputs are added, renamed, wired, viewed and removed with the keyboard alone', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, document)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'grey').waitFor()
      const panel = inspector(page)
      const button = panel.getByRole('button', { name: 'Add an output' })
      await button.press('Enter')
      await page.getByRole('menuitem', { name: 'Image', exact: true }).and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await field(page, 'outputs.small.$name').getByRole('textbox').and(page.locator(':focus')).waitFor()
      await page.keyboard.type('tiny')
      await page.keyboard.press('Enter')
      const node = panel.getByRole('combobox', { name: 'Image of tiny' })
      await node.press('ArrowDown')
      await page.getByRole('option', { name: 'grey', exact: true }).waitFor()
      await node.fill('grey')
      await page.getByRole('option', { name: 'sheet', exact: true }).waitFor({ state: 'detached' })
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await outputsOf(api, id, 'the node', { tiny: { node: 'grey', width: 600 } })
      await run(page, api)
      await runPanel(page).getByRole('tab', { name: 'Output' }).focus()
      await page.keyboard.press('ArrowRight')
      await waitUntilLoaded(page.getByRole('img', { name: 'The result: tiny' }))
      const remove = panel.getByRole('button', { name: 'Remove the output tiny' })
      await remove.press('Enter')
      await draftWith(api, id, 'no other output', (draft) => !('outputs' in draft))
      // The focus stays in the section.
      await button.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Control+z')
      await outputsOf(api, id, 'the output again', { tiny: { node: 'grey', width: 600 } })
      await remove.waitFor()
    })
  })
})

interface File {
  name: string
  format: string
  width: number
  height: number
}

/** Adds an output with the menu in the settings of the workflow. */
async function add(page: Page, title: string): Promise<void> {
  await card(page, outputCard).waitFor()
  await focusCanvas(page)
  await page.keyboard.press('Escape')
  await inspector(page).getByRole('button', { name: 'Add an output' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${title}( ?\\d|$)`) }).click()
  // The first output loads its fields, which move the button of the menu.
  await inspector(page)
    .getByRole('combobox', { name: /^Image of / })
    .last()
    .waitFor()
}

async function outputsOf(api: Parameters<typeof draftWith>[0], id: string, expectation: string, expected: Outputs) {
  return draftWith(api, id, expectation, (draft) => {
    const { outputs = {} } = draft as { outputs?: Outputs }
    return sorted(outputs) === sorted(expected)
  })
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, child) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  )
}
