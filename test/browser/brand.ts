/** Brand values in the console: their page, and templates that read them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { ok } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { field, newDraft, select } from './harness/editor.ts'

interface Brand {
  values: Record<string, { type: string; value: string; description?: string }>
}

consoleTests('brand values in the console', (of) => {
  let projectId: string
  before(async () => {
    projectId = ok(await of().api.post<{ id: string }>('/projects', { name: 'A client' }), 201).id
  })

  const brandOf = async (path = '/brand') => ok(await of().api.get<Brand>(path)).values

  test('values of all types are added, saved, exported, imported and deleted with the keyboard', async () => {
    const { visit } = of()
    await visit('/brand', async ({ page }) => {
      const add = async (name: string) => {
        await page.getByRole('button', { name }).focus()
        await page.keyboard.press('Enter')
      }
      const section = (name: string) => page.getByRole('region', { name })
      await add('Add colour')
      await page.keyboard.type('accent')
      const colour = section('Colours')
      assert.equal(await colour.getByLabel('Name').inputValue(), 'accent')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('blurple')
      await add('Add font')
      await section('Fonts').getByLabel('Font', { exact: true }).fill('Inter')
      await add('Add text')
      await section('Texts').getByLabel('Text', { exact: true }).fill('Fresh every day')
      await section('Texts').getByLabel('Description').fill('Below the headline')
      await add('Add image')
      const photo = new URL('../../examples/samples/coffee.jpg', import.meta.url)
      await section('Logos and images').getByRole('button', { name: 'Choose', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Choose an image' })
      await dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: await readFile(photo) })
      await dialog.waitFor({ state: 'detached' })

      await page.keyboard.press('Control+s')
      await colour.getByText(/must be a CSS colour/).waitFor()
      assert.deepEqual(await brandOf(), {})
      await page.locator('input[value=blurple]:focus').waitFor()
      await page.keyboard.press('Control+a')
      await page.keyboard.type('#0f766e')
      await page.keyboard.press('Control+s')
      await page.getByText('The brand values were saved.').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      const { accent, heading, slogan, logo } = await brandOf()
      assert.deepEqual(accent, { type: 'color', value: '#0f766e' })
      assert.deepEqual(heading, { type: 'font', value: 'Inter' })
      assert.deepEqual(slogan, { type: 'text', value: 'Fresh every day', description: 'Below the headline' })
      assert.match(logo?.value ?? '', /^img_/)

      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      const download = await downloading
      assert.equal(download.suggestedFilename(), 'brand.yaml')
      const file = await readFile(await download.path(), 'utf8')
      await page.getByRole('button', { name: 'Delete accent' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await until('the save', async () => !('accent' in (await brandOf())) || undefined)
      const changed = file.replace('Fresh', 'Baked')
      const yaml = (text: string) => ({ name: 'brand.yaml', mimeType: 'application/yaml', buffer: Buffer.from(text) })
      const input = page.locator('main input[type=file]')
      await input.first().setInputFiles(yaml('- nothing'))
      await page.getByText('brand.yaml has no brand values').waitFor()
      await input.first().setInputFiles(yaml(changed))
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await until('the import', async () => (await brandOf()).slogan?.value === 'Baked every day' || undefined)
      assert.deepEqual((await brandOf()).accent, accent)
    })
  })

  test('a project shows the values of the account, and replaces one of them', async () => {
    const { api, visit } = of()
    ok(await api.put('/brand', { values: { primary: { type: 'color', value: 'teal' } } }))
    await visit('/brand', async ({ page }) => {
      await page.getByRole('combobox', { name: 'Brand of' }).click()
      await page.getByRole('option', { name: 'Project: A client' }).click()
      await page.getByRole('button', { name: 'Replace primary in this project' }).click()
      const colours = page.getByRole('region', { name: 'Colours' })
      await colours.getByLabel('Colour', { exact: true }).fill('navy')
      // Unsaved changes stay until they are discarded on purpose.
      await page.getByRole('link', { name: 'Workflows' }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const path = `/projects/${projectId}/brand`
      await until('the save', async () => (await brandOf(path)).primary?.value === 'navy' || undefined)
      assert.equal((await brandOf()).primary?.value, 'teal')

      ok(await api.put(path, { values: { primary: { type: 'color', value: 'red' } } }))
      await colours.getByLabel('Colour', { exact: true }).fill('green')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('The brand values were saved in the meantime').waitFor()
      await page.getByRole('button', { name: 'Load the saved values' }).click()
      await until('the newest value', async () => {
        const value = await colours.getByLabel('Colour', { exact: true }).inputValue()
        return value === 'red' || undefined
      })
    })
  })

  test('text and focus of a field stay when a save ends', async () => {
    const { api, visit } = of()
    ok(await api.put('/brand', { values: { slogan: { type: 'text', value: 'Fresh' } } }))
    await visit('/brand', async ({ page }) => {
      const typed = Promise.withResolvers<void>()
      await page.route('**/v1/brand', async (route) => {
        if (route.request().method() === 'PUT') await typed.promise
        return route.continue()
      })
      const text = page.getByRole('region', { name: 'Texts' }).getByLabel('Text', { exact: true })
      await text.fill('Fresh bread')
      await Promise.all([
        page.waitForRequest((request) => request.method() === 'PUT'),
        page.keyboard.press('Control+s'),
      ])
      await page.keyboard.type(' and cake')
      typed.resolve()
      await page.getByText('The brand values were saved.').waitFor()
      await page.keyboard.type(', too')
      assert.equal(await text.inputValue(), 'Fresh bread and cake, too')
      assert.equal((await brandOf()).slogan?.value, 'Fresh bread')
      await page.keyboard.press('Control+s')
      await until('the second save', async () => (await brandOf()).slogan?.value.endsWith(', too') || undefined)
    })
  })

  test('templates in the editor complete brand values, show them, and report unknown ones', async () => {
    const { api, visit } = of()
    ok(await api.put('/brand', { values: { slogan: { type: 'text', value: 'Fresh every day' } } }))
    const workflowId = await newDraft(api, {
      name: 'Branded',
      nodes: { title: { type: 'text', params: { text: 'Hello', size: 12 } } },
      output: { node: 'title', format: 'png' },
    })
    await visit('/keys', async ({ page }) => {
      const typed = Promise.withResolvers<void>()
      await page.route('**/brand', async (route) => {
        await typed.promise
        return route.continue()
      })
      await page.goto(`/workflows/${workflowId}`)
      await select(page, 'title')
      const text = field(page, 'nodes.title.params.text')
      const type = async () => {
        await text.getByRole('combobox').fill('')
        await text.getByRole('combobox').pressSequentially('{{ brand.')
      }
      await type()
      // Also if they are loaded only now.
      typed.resolve()
      await page.getByRole('option', { name: /brand\.slogan/ }).waitFor()
      await type()
      await page.getByRole('option', { name: /brand\.slogan/ }).waitFor()
      await page.keyboard.press('Enter')
      await text.getByText('Fresh every day', { exact: true }).waitFor()
      await text.getByRole('combobox').fill('{{ brand.slogn }}')
      await text
        .getByText(/uses the brand value "slogn".*Did you mean "slogan"\?/)
        .first()
        .waitFor()
    })
  })
})
