/** Parameters with a format: their declaration, their fields in the run form, and their fields in templates. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import type { Execution, Image } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, draftWith, field, inspector, newDraft, run, runPanel, select } from './harness/editor.ts'
import { fill } from './harness/fill.ts'

const person = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', title: 'Name' },
    photo: { type: 'string', format: 'image', title: 'Photo' },
    place: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } },
    tags: { type: 'array', items: { type: 'string', enum: ['new', 'old'] } },
  },
}

const everyFormat = [
  { name: 'photo', type: 'string', format: 'image' },
  { name: 'tint', type: 'string', format: 'color', default: 'red' },
  { name: 'link', type: 'string', format: 'url' },
  { name: 'day', type: 'string', format: 'date' },
  { name: 'text', type: 'string', format: 'multiline' },
  { name: 'proof', type: 'string', format: 'boolean', default: 'true' },
  { name: 'face', type: 'string', format: 'font' },
  {
    name: 'tone',
    type: 'string',
    format: 'enum',
    enum: ['warm', 'cold'],
    labels: { warm: 'Warm light', cold: 'Cold light' },
  },
  {
    name: 'people',
    type: 'string',
    format: 'json',
    schema: { type: 'array', items: person },
    default: [{ name: 'Ada' }],
  },
  { name: 'sizes', type: 'string', format: 'json', schema: { type: 'array', items: { type: 'integer' } } },
]
const sheet = { sheet: { type: 'canvas', params: { width: 20, height: 10, color: '{{ tint }}' } } }
const output = { node: 'sheet', format: 'png' }

consoleTests('parameters with a format', (of) => {
  let photo: Image
  before(async () => {
    photo = await upload(of().api, await plain('png', 9, 12), 'portrait.png')
  })

  /** Opens the select box with the focus, types, and takes the option. */
  const choose = async (page: Page, option: string) => {
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.type(option)
    const highlighted = page.locator('[data-combobox-selected]')
    await page.getByRole('option', { name: option, exact: true }).and(highlighted).waitFor()
    await page.keyboard.press('Enter')
  }
  const press = async (page: Page, button: Locator) => {
    await button.focus()
    await page.keyboard.press('Enter')
  }

  test('a JSON parameter with an image and options is declared with the keyboard alone', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, { name: 'Team', nodes: { sheet: { type: 'canvas' } }, output })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      const panel = inspector(page)
      await press(page, panel.getByRole('button', { name: 'Add a parameter' }))
      // The generated name is selected.
      await page.keyboard.type('people')
      await page.keyboard.press('Enter')
      await field(page, 'parameters.0.format').getByRole('combobox').focus()
      await choose(page, 'JSON')
      const added = (name: string) => panel.getByRole('textbox', { name: `Name of the field ${name}`, exact: true })
      for (const [index, name, label] of [
        [2, 'photo', 'Image'],
        [3, 'role', 'One of several options'],
      ] as const) {
        await press(page, panel.getByRole('button', { name: 'Add a field' }).last())
        await added(`field${index}`).waitFor()
        await page.keyboard.type(name)
        await page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
        await choose(page, label)
      }
      await press(page, panel.getByRole('button', { name: 'Settings of the field name', exact: true }))
      await panel.getByRole('checkbox', { name: 'Required' }).first().focus()
      await page.keyboard.press('Space')
      await fill(page, 'parameters.0.schema.items.properties.role.enum.1', 'editor')
      await draftWith(api, workflowId, 'the declaration', ({ parameters = [] }) => {
        const expected = {
          name: 'people',
          type: 'string',
          format: 'json',
          schema: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                name: { type: 'string' },
                photo: { type: 'string', format: 'image' },
                role: { type: 'string', enum: ['first', 'editor'] },
              },
              required: ['name'],
            },
          },
        }
        return JSON.stringify(sorted(parameters[0])) === JSON.stringify(sorted(expected))
      })
    })
  })

  test('labels, an unusable schema and a default are edited, with the problems of the service at their fields', async () => {
    const { api, visit } = of()
    const tone = { name: 'tone', type: 'string', format: 'enum', enum: ['warm', 'cold'] }
    const list = { type: 'array', items: { type: 'string' }, minItems: 3 }
    const people = { name: 'people', type: 'string', format: 'json', schema: list, default: ['Ada'] }
    const document = { name: 'Labels', parameters: [tone, people], nodes: { sheet: { type: 'canvas' } }, output }
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      const panel = inspector(page)
      await panel.getByRole('button', { name: /^tone/ }).click()
      await panel.getByRole('textbox', { name: 'Label of warm' }).fill('Warm light')
      await draftWith(api, workflowId, 'the label', ({ parameters }) => {
        const { labels } = (parameters?.[0] ?? {}) as { labels?: Record<string, string> }
        return labels?.warm === 'Warm light'
      })
      await panel.getByRole('button', { name: /^people/ }).click()
      await field(page, 'parameters.1.default')
        .getByText(/must have at least 3 items, not 1/)
        .waitFor()
      await panel.getByRole('button', { name: /^Settings of the list/ }).click()
      await fill(page, 'parameters.1.schema.maxItems', 2)
      await panel.getByText(/must be at most maxItems \(2\), not 3/).waitFor()
    })
  })

  test('every format has a field, and the run gets its value', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, { name: 'Every format', parameters: everyFormat, nodes: sheet, output })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'sheet').waitFor()
      await runPanel(page).getByRole('button', { name: 'Show the run panel' }).click()
      const values = {
        photo: photo.id,
        tint: '#123456',
        link: 'https://example.com/a',
        day: '2028-02-29',
        text: 'two\nlines',
        proof: false,
        face: 'Inter',
        people: [{ name: 'Mei', photo: photo.id, place: { x: 0.5, y: 1 }, tags: ['old'] }, { name: 'Noor' }],
        sizes: [12, 18],
      }
      for (const [name, value] of Object.entries(values)) await fill(page, `parameters.${name}`, value)
      await field(page, 'parameters.tone').getByText('Cold light').click()
      const { parameters } = ok(await api.get<Execution>(`/workflows/executions/${(await run(page, api)).executionId}`))
      assert.deepEqual(sorted(parameters), sorted({ ...values, tone: 'cold' }))
    })
  })

  test('items of a list are added, moved and removed, and the list can be edited as JSON', async () => {
    const { api, visit } = of()
    const [, tint, ...others] = everyFormat
    const people = others.filter(({ name }) => name === 'people')
    const { id } = await save(api, { name: 'Team', parameters: [{ ...tint }, ...people], nodes: sheet, output })
    await visit(`/workflows/${id}/run`, async ({ page }) => {
      const list = field(page, 'parameters.people')
      await list.getByText('Default: Ada').waitFor()
      await press(page, list.getByRole('button', { name: 'Change people' }))
      await press(page, list.getByRole('button', { name: 'Add to people' }))
      // The first field of the new item has the focus.
      await field(page, 'parameters.people.1.name').locator(':focus').waitFor()
      await page.keyboard.type('Mei')
      await list.getByRole('button', { name: /2\s*Mei/ }).waitFor()
      await press(page, list.getByRole('button', { name: 'Move up: people 2' }))
      await list.getByRole('button', { name: /1\s*Mei/ }).waitFor()

      await press(page, list.getByRole('button', { name: 'Edit as JSON: people' }))
      const text = list.getByRole('textbox')
      assert.deepEqual(JSON.parse(await text.inputValue()), [{ name: 'Mei' }, { name: 'Ada' }])
      await text.fill('[{ "name": ')
      await list.getByText('isn’t valid JSON').waitFor()
      await text.fill('[{ "name": 5 }]')
      await list.getByText(/0\.name must be a string, not 5/).waitFor()
      await text.fill('[{ "name": "Noor" }, { "name": "Ada" }]')
      await press(page, list.getByRole('button', { name: 'Edit in fields: people' }))
      await press(page, list.getByRole('button', { name: 'Remove: people 2' }))

      await page
        .getByRole('navigation', { name: 'Workflow', exact: true })
        .getByRole('link', { name: 'API', exact: true })
        .click()
      await page.getByText('"name": "Noor"').waitFor()
      await page
        .getByRole('navigation', { name: 'Workflow', exact: true })
        .getByRole('link', { name: 'Run', exact: true })
        .click()
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      const executions = await until('the execution', async () => {
        const { executions } = ok(
          await api.get<{ executions: Execution[] }>('/workflows/executions', { workflowId: id, status: 'completed' }),
        )
        return executions.length > 0 ? executions : undefined
      })
      const { parameters } = ok(await api.get<Execution>(`/workflows/executions/${executions[0]?.executionId}`))
      assert.deepEqual(parameters?.people, [{ name: 'Noor' }])
    })
  })

  test('the problem of a field inside a list is shown at the field', async () => {
    const { api, visit } = of()
    const people = { name: 'people', type: 'string', format: 'json', schema: { type: 'array', items: person } }
    const { id } = await save(api, {
      name: 'Team',
      parameters: [{ name: 'tint', type: 'string', default: 'red' }, people],
      nodes: sheet,
      output,
    })
    await visit(`/workflows/${id}/run`, async ({ page }) => {
      const list = field(page, 'parameters.people')
      await list.getByRole('button', { name: 'Add people' }).click()
      await field(page, 'parameters.people.0.name').waitFor()
      assert.equal(await list.getByText(/required/).count(), await list.getByText('(required)').count())
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await field(page, 'parameters.people.0.name').getByText('Name is required').waitFor()
    })
  })

  test('the schema of a text from a model is edited in fields, and templates complete them', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, {
      name: 'Copy',
      nodes: { copy: { type: 'write', params: { prompt: 'A café' } }, title: { type: 'text', params: { text: 'x' } } },
      output: { node: 'title' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'copy').waitFor()
      await select(page, 'copy')
      const schema = field(page, 'nodes.copy.params.schema')
      await schema.getByRole('button', { name: 'Add Schema' }).click()
      await press(page, schema.getByRole('button', { name: 'Add a field' }))
      await page.keyboard.type('headline')
      await page.keyboard.press('Enter')
      // A model can't return an image.
      await schema.getByRole('combobox', { name: 'Kind of the field headline' }).click()
      await page.getByRole('option', { name: 'Colour', exact: true }).waitFor()
      assert.equal(await page.getByRole('option', { name: 'Image', exact: true }).count(), 0)
      await page.keyboard.press('Escape')
      await draftWith(api, workflowId, 'the schema', ({ nodes }) => {
        const { properties } = (nodes.copy?.params?.schema ?? {}) as { properties?: object }
        return JSON.stringify(properties) === '{"headline":{"type":"string"}}'
      })
      await select(page, 'title')
      const text = field(page, 'nodes.title.params.text').getByRole('combobox')
      await text.fill('')
      await text.pressSequentially('{{nodes.copy.result.h')
      await page.getByRole('option', { name: 'nodes.copy.result.headline text' }).waitFor()
    })
  })

  test('templates complete the fields of a JSON parameter and of an item', async () => {
    const { api, visit } = of()
    const people = { name: 'people', type: 'string', format: 'json', schema: { type: 'array', items: person } }
    const workflowId = await newDraft(api, {
      name: 'Team',
      parameters: [people],
      nodes: { title: { type: 'text', each: '{{ people }}', params: { text: 'x', size: 20 } } },
      output: { node: 'title' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'title').waitFor()
      await select(page, 'title')
      const text = field(page, 'nodes.title.params.text').getByRole('combobox')
      const complete = async (typed: string, option: string, result: string) => {
        await text.fill('')
        await text.pressSequentially(typed)
        await page.getByRole('option', { name: option }).waitFor()
        await page.keyboard.press('Tab')
        assert.equal(await text.inputValue(), result)
      }
      await complete('{{people[0].na', 'people[0].name text', '{{ people[0].name }}')
      await complete('{{item.pho', 'item.photo text', '{{ item.photo }}')
      await text.fill('{{ item.nmae }}')
      await field(page, 'nodes.title.params.text')
        .getByText(/which its schema doesn't have\. Did you mean "name"/)
        .first()
        .waitFor()
    })
  })
})

/** The value with the fields of each object in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, sorted(child)]),
  )
}
