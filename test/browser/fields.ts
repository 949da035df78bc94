/** Fields show what was typed or stored, and say what is wrong with it. They never change a value on their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noModels } from '../../src/local-models/test-models.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { card, draftWith, field, newDraft, pick, select } from './harness/editor.ts'

/** A number for the width of an image, as a whole number from 1. */
const wrongNumbers: [typed: string, problem: RegExp][] = [
  ['12.7', /^Width must be a whole number/],
  ['-40', /^Width must be at least 1/],
  ['\u221240', /^Width must be at least 1/],
  ['0', /^Width must be at least 1/],
  ['1200700', /^Width must be at most \d/],
  ['1e9', /^Width must be at most \d/],
  ['1e999', /^Width must be .* not "1e999"/],
  ['1,200', /^Width must be .* not "1,200"/],
  ['12,7', /^Width must be .* not "12,7"/],
  ['1.2.3', /^Width must be .* not "1\.2\.3"/],
  ['--5', /^Width must be .* not "--5"/],
  ['12px', /^Width must be .* not "12px"/],
  ['0x10', /^Width must be .* not "0x10"/],
  ['twelve', /^Width must be .* not "twelve"/],
]
/** Numbers in other forms. */
const rightNumbers = ['40', ' 41 ', '+42', '43.0', '4.4e1', '007']

consoleTests('fields', (of) => {
  const document = (params: Record<string, unknown>) => ({
    name: 'Sized',
    nodes: {
      sheet: { type: 'canvas', params: { width: 60, height: 40 } },
      small: { type: 'resize', inputs: { image: 'sheet' }, params },
    },
    output: { node: 'small', format: 'png' },
  })

  test('the model of faces is one of the local models that find faces', { skip: noModels }, async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Crowd',
      nodes: {
        sheet: { type: 'canvas', params: { width: 60, height: 40 } },
        found: { type: 'faces', inputs: { image: 'sheet' } },
        again: { type: 'faces', inputs: { image: 'sheet' }, params: { model: 'faces-ssd' } },
      },
      output: { node: 'found', format: 'png' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'found').waitFor()
      await select(page, 'found')
      await page.getByRole('button', { name: /^Advanced/ }).click()
      const model = field(page, 'nodes.found.params.model').getByRole('combobox')
      await model.click()
      await page.getByRole('option').first().waitFor()
      assert.match((await page.getByRole('option').allTextContents()).join('|'), /^Faces SSD[^|]*$/)
      await page.getByRole('option').click()
      await draftWith(api, workflowId, 'the model', ({ nodes }) => nodes.found?.params?.model === 'local/faces-ssd')
      // Local models also have a short name.
      await select(page, 'again')
      assert.equal(await field(page, 'nodes.again.params.model').getByRole('combobox').inputValue(), 'Faces SSD')
      assert.deepEqual(await seriousViolations(page), [])
    })
  })

  test('a number field keeps the typed text, and says what is wrong with it', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document({ width: 30 }))
    const stores = (value: unknown) =>
      draftWith(api, workflowId, `the width ${value}`, ({ nodes }) => nodes.small?.params?.width === value)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'small').waitFor()
      await select(page, 'small')
      const width = field(page, 'nodes.small.params.width')
      const input = width.getByRole('textbox')
      const type = async (text: string) => {
        await input.selectText()
        await page.keyboard.type(text)
      }
      for (const [typed, problem] of wrongNumbers) {
        await type(typed)
        assert.equal(await input.inputValue(), typed)
        await width.getByText(problem).waitFor()
        assert.equal(await input.getAttribute('aria-invalid'), 'true')
      }
      // The value is the same after a reload, and so is its problem.
      await stores('twelve')
      await page.reload()
      await select(page, 'small')
      assert.equal(await input.inputValue(), 'twelve')
      await width.getByText(/^Width must be .* not "twelve"/).waitFor()
      for (const typed of ['12.7', '-40']) {
        await type(typed)
        await stores(Number(typed))
      }
      for (const typed of rightNumbers) {
        await type(typed)
        assert.equal(await input.inputValue(), typed)
        await until('no problem', async () => (await input.getAttribute('aria-invalid')) !== 'true' || undefined)
      }
      await stores(7)
    })
  })

  test('a double-click anywhere in a number field replaces the number', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document({ width: 1200 }))
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'small').waitFor()
      await select(page, 'small')
      const input = field(page, 'nodes.small.params.width').getByRole('textbox')
      const box = await input.boundingBox()
      assert.ok(box)
      for (const [part, typed] of [
        [0.1, '500'],
        [0.5, '600'],
        [0.8, '700'],
      ] as const) {
        await input.dblclick({ position: { x: box.width * part, y: box.height / 2 } })
        await page.keyboard.type(typed)
        assert.equal(await input.inputValue(), typed)
      }
      await draftWith(api, workflowId, 'the last number', ({ nodes }) => nodes.small?.params?.width === 700)
    })
  })

  test('an option that does not exist lights no other, and the default can be selected in its place', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Choices',
      nodes: {
        sky: { type: 'gradient', params: { width: 60, height: 40, from: 'red', to: 'blue', shape: 'oval' } },
        small: { type: 'resize', inputs: { image: 'sky' }, params: { width: 30, fit: 'stretchy', position: 'middle' } },
      },
      output: { node: 'small', format: 'png' },
    })
    const stores = (node: string, name: string, value: string) =>
      draftWith(api, workflowId, `the ${name} ${value}`, ({ nodes }) => nodes[node]?.params?.[name] === value)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sky').waitFor()
      await select(page, 'sky')
      const shape = field(page, 'nodes.sky.params.shape')
      await shape.getByText(/^Shape must be .* not "oval"/).waitFor()
      assert.equal(await shape.locator('input:checked').count(), 0)
      await shape.getByText('linear', { exact: true }).click()
      await stores('sky', 'shape', 'linear')
      await shape.getByText(/^Shape must/).waitFor({ state: 'detached' })

      await select(page, 'small')
      const position = field(page, 'nodes.small.params.position')
      await position.getByText(/^Position must be .* not "middle"/).waitFor()
      assert.equal(await position.locator('input:checked').count(), 0)
      await position.getByRole('radio', { name: 'center' }).check({ force: true })
      await stores('small', 'position', 'center')
      const fit = field(page, 'nodes.small.params.fit')
      await fit.getByText(/^Fit must be .* not "stretchy"/).waitFor()
      await pick(page, fit.getByRole('combobox'), 'cover')
      await stores('small', 'fit', 'cover')
      await page
        .getByText(/^(Position|Fit) must/)
        .first()
        .waitFor({ state: 'detached' })
    })
  })

  test('the API tab warns that an unpublished workflow returns 404, until it is published', async () => {
    const { api, visit } = of()
    const draft = document({ width: 30 })
    const workflowId = await newDraft(api, draft)
    await visit(`/workflows/${workflowId}/api`, async ({ page }) => {
      const warning = page.getByRole('alert').filter({ hasText: 'Publish the workflow first' })
      await warning.getByText(/404 not_found until you publish it/).waitFor()
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      await dialog.waitFor({ state: 'detached' })
      await warning.waitFor({ state: 'detached' })
    })
    const { id } = await save(api, draft)
    await visit(`/workflows/${id}/api`, async ({ page }) => {
      await page.getByText('Call it from your code').waitFor()
      await page.getByText(id).first().waitFor()
      assert.equal(await page.getByText('Publish the workflow first').count(), 0)
    })
  })

  test('a problem of a style sheet is marked at its line, and the mark moves the caret there', async () => {
    const { api, visit } = of()
    const css = 'p {\n  color: red;\n  colr: blue;\n}'
    const nodes = { card: { type: 'html', params: { html: '<p>{{ title }}</p>', css } } }
    const parameters = [{ name: 'title', type: 'string', default: 'A & B' }]
    const workflowId = await newDraft(api, { name: 'Card', parameters, nodes, output: { node: 'card' } })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'card').waitFor()
      await select(page, 'card')
      const style = field(page, 'nodes.card.params.css')
      await style.getByText(/^CSS has a mistake in line 3, column 3: .*Did you mean "color"/).waitFor()
      const mark = style.getByRole('button', { name: /^Problem in line 3/ })
      await mark.click()
      await page.keyboard.type('x')
      const text = style.getByRole('combobox')
      assert.equal(await text.inputValue(), css.replace('colr', 'xcolr'))
      await text.fill(css.replace('colr', 'color'))
      await mark.waitFor({ state: 'detached' })
      // The result of the template is escaped.
      await field(page, 'nodes.card.params.html').getByText('<p>A &amp; B</p>').waitFor()
    })
  })
})
