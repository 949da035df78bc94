/** Pictures instead of ids: the palette, image fields, inspectors, cards before a run, batches, the publish dialog, templates and models. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { until } from '../harness/wait.ts'
import * as workflows from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { card, field, focusCanvas, inspector, newDraft, run, select, storedDraft } from './harness/editor.ts'
import { screenshot } from './harness/screenshot.ts'

const sample = new URL('../../examples/samples/coffee.jpg', import.meta.url)
const anyImageId = /img_[0-9a-z]{28}/

/** Screenshots to look at, if a folder is given. */
const folder = process.env.PICTURES_FOLDER
const look = async (page: Page, name: string) => {
  if (folder !== undefined) await screenshot(page, `${folder}/${name}.png`)
}

/** A photo whose width is a parameter. */
const framed = (photo: string) => ({
  name: 'Framed photo',
  parameters: [
    { name: 'photo', type: 'string', format: 'image', default: photo },
    { name: 'w', type: 'number', default: 90 },
    { name: 'title', type: 'string', default: 'Morning' },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    small: { type: 'resize', inputs: { image: 'photo' }, params: { width: '{{ w }}' } },
  },
  output: { node: 'small', format: 'png' },
})

/** Waits until every image in it is loaded, and returns their number. */
async function loadedImages(target: Locator): Promise<number> {
  const images = target.locator('img')
  await images.first().waitFor()
  // Images out of sight aren't loaded.
  await images.first().scrollIntoViewIfNeeded()
  await until('the images to load', async () => {
    const loaded = await images.evaluateAll((all) =>
      all.every((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0),
    )
    return loaded || undefined
  })
  return images.count()
}

async function noViolationsInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    assert.deepEqual(await seriousViolations(page), [], colorScheme)
  }
}

consoleTests('pictures instead of ids', (of) => {
  const coffee = async () => workflows.upload(of().api, await readFile(sample), 'A cup of coffee.jpg')

  test('the palette has a picture of each operation, and saved workflows last, with their image and without their id', async () => {
    const { api, visit } = of()
    const saved = await workflows.save(api, {
      ...framed((await coffee()).id),
      name: 'Gradient of the bwana',
    } as Document)
    await workflows.run(api, saved.id)
    const id = await newDraft(api)
    await visit(`/workflows/${id}`, async ({ page }) => {
      await page.getByText('Nothing here yet').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('/')
      const palette = page.getByRole('dialog', { name: 'Add a node' })
      const pictures = palette.locator('[data-operation]')
      await pictures.first().waitFor()
      assert.ok((await pictures.count()) > 55, `${await pictures.count()} pictures`)
      const workflow = palette.getByRole('option', { name: 'Gradient of the bwana' })
      assert.equal(await loadedImages(workflow), 1)
      assert.equal((await palette.getByRole('option').allTextContents()).at(-1), 'Gradient of the bwanaVersion 1')
      assert.doesNotMatch((await palette.textContent()) ?? '', /wf_/)
      await look(page, 'palette')
      await noViolationsInBoth(page)
      await look(page, 'palette-dark')
      await page.keyboard.type('bw')
      const found = palette.getByRole('option')
      await found.first().getByText('Grayscale').waitFor()
      await page.getByRole('combobox').fill(saved.id.slice(3, 12))
      await palette.getByText('No results').waitFor()
    })
  })

  test('an image field has a thumbnail and the file name, and its box is behind "By URL"', async () => {
    const { api, visit } = of()
    const photo = await coffee()
    const { id } = await workflows.save(api, framed(photo.id) as Document)
    await visit(`/workflows/${id}/run`, async ({ page }) => {
      const image = field(page, 'parameters.photo')
      await image.getByText('A cup of coffee.jpg').waitFor()
      assert.equal(await loadedImages(image), 1)
      assert.doesNotMatch((await image.textContent()) ?? '', anyImageId)
      assert.equal(await image.getByRole('textbox').count(), 0)
      await look(page, 'run-page')
      await image.getByRole('button', { name: 'By URL' }).click()
      await image.getByRole('textbox').fill('https://example.com/a.jpg')
      await image.getByText('a.jpg · example.com').waitFor()
      await image.getByRole('textbox').fill(photo.id)
      await image.getByText('A cup of coffee.jpg').waitFor()
      assert.equal(await image.getByRole('textbox').inputValue(), photo.id)
      await noViolationsInBoth(page)
    })
  })

  test('parameters and cards show the image before the first run, and an executed workflow its values', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, framed((await coffee()).id))
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'photo').waitFor()
      const parameter = inspector(page).locator('[data-path="parameters.0"]')
      await parameter.getByText('A cup of coffee.jpg').waitFor()
      assert.equal(await loadedImages(parameter), 1)
      assert.doesNotMatch((await parameter.textContent()) ?? '', anyImageId)
      // The input of the photo, because nothing has run.
      await card(page, 'small').getByText('Input', { exact: true }).waitFor()
      assert.equal(await loadedImages(card(page, 'small')), 1)
      await look(page, 'cards')
      await noViolationsInBoth(page)
      await page.emulateMedia({ colorScheme: 'light' })
      const { executionId } = await run(page, api)
      await card(page, 'small').getByText('Input', { exact: true }).waitFor({ state: 'detached' })
      await page.goto(`/workflows/${id}?execution=${executionId}`)
      await card(page, 'small').waitFor()
      await select(page, 'small')
      await inspector(page).getByText('{{ w }} =').waitFor()
      assert.match((await inspector(page).textContent()) ?? '', /\{\{ w \}\} = 90/)
      await select(page, 'photo')
      await inspector(page).getByText('A cup of coffee.jpg').waitFor()
      const values = page.getByRole('region', { name: 'Parameters' })
      await values.getByText('A cup of coffee.jpg').waitFor()
      assert.equal(await loadedImages(values), 1)
      await look(page, 'executed')
    })
  })

  test('a row of a batch has its first text below the image, and its image is chosen, not typed', async () => {
    const { api, visit } = of()
    const photo = await coffee()
    const { id: workflowId } = await workflows.save(api, framed(photo.id) as Document)
    const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId, name: 'Titles' }), 201)
    const headers = { 'content-type': 'text/csv' }
    const body = `title,w,photo\nSummer sale,40,${photo.id}\nWinter sale,50,${photo.id}\n`
    ok(await api.call('PUT', `/batches/${id}/items`, { body, headers }))
    await visit(`/batches/${id}`, async ({ page }) => {
      const rows = page.getByRole('region', { name: 'Rows' })
      await rows.getByText('Summer sale').waitFor()
      await look(page, 'batch')
      await rows.getByRole('button', { name: /Winter sale/ }).click()
      const drawer = page.getByRole('dialog')
      const image = drawer.locator('[data-path="parameters.photo"]')
      await image.getByText('A cup of coffee.jpg').waitFor()
      await image.getByRole('button', { name: 'Choose', exact: true }).waitFor()
      await drawer.locator('[data-path="parameters.w"]').getByRole('textbox').fill('60')
      await look(page, 'batch-row')
      await noViolationsInBoth(page)
      await drawer.getByRole('button', { name: 'Save' }).click()
      const changed = await until('the changed row', async () => {
        type Rows = { items: { parameters: Record<string, unknown> }[] }
        const { items } = ok(await api.get<Rows>(`/batches/${id}/items`, { limit: 10 }))
        return items[1]?.parameters.w === 60 ? items[1].parameters : undefined
      })
      assert.deepEqual(changed, { title: 'Winter sale', w: 60, photo: photo.id })
    })
  })

  test('the publish dialog has the image of the draft, and later that of the published version', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, framed((await coffee()).id))
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'small').waitFor()
      await run(page, api)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const dialog = page.getByRole('dialog')
      const images = dialog.getByRole('region', { name: 'Images' })
      assert.equal(await loadedImages(images), 1)
      await images.getByText(/^Draft · 90 ×/).waitFor()
      await look(page, 'publish-first')
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('API calls use version 1 now').waitFor()
      await workflows.run(api, id, { w: 45 })
      ok(
        await api.put(`/workflows/${id}/draft`, {
          document: { ...framed((await coffee()).id), output: { node: 'small', format: 'webp' } },
        }),
        201,
      )
    })
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'small').waitFor()
      await run(page, api)
      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      const images = page.getByRole('dialog').getByRole('region', { name: 'Images' })
      await images.getByText(/^version 1 · 45 ×/).waitFor()
      await images.getByText(/^the draft · 90 ×/).waitFor()
      assert.equal(await loadedImages(images), 2)
      await look(page, 'publish-second')
      await noViolationsInBoth(page)
    })
  })

  test('templates have images and categories, and start with the photo of their user', async () => {
    const { api, visit } = of()
    await visit('/workflows', async ({ page }) => {
      await page.getByRole('button', { name: 'Templates' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: /^Meme/ }).waitFor()
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog.getByRole('button', { name: 'Use your own photo' }).click(),
      ])
      await chooser.setFiles(fileURLToPath(sample))
      await dialog.getByText('coffee.jpg').waitFor()
      await look(page, 'templates')
      await noViolationsInBoth(page)
      await dialog.getByText('Products', { exact: true }).click()
      await dialog.getByRole('button', { name: /^Meme/ }).waitFor({ state: 'detached' })
      const template = dialog.getByRole('button', { name: /^Product square/ })
      assert.equal(await loadedImages(template), 1)
      await template.click()
      await page.waitForURL(/workflows\/wf_/)
      await card(page, 'photo').getByText('coffee.jpg').waitFor({ state: 'attached' })
      const [, id = ''] = /workflows\/(wf_\w+)/.exec(page.url()) ?? []
      const document = (await storedDraft(api, id)) as unknown as { parameters: { default?: unknown }[] }
      assert.ok(document.parameters.some((parameter) => anyImageId.test(String(parameter.default))))
    })
  })

  test('models have a name and the price of one image', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, {
      name: 'Door',
      nodes: { door: { type: 'generate', params: { prompt: 'A red door' } } },
      output: { node: 'door', format: 'png' },
    })
    await visit(`/workflows/${id}`, async ({ page }) => {
      await card(page, 'door').waitFor()
      await select(page, 'door')
      const model = field(page, 'nodes.door.params.model').getByRole('combobox')
      await model.click()
      const nano = page.getByRole('option').filter({ hasText: 'Gemini Nano Banana 2.1' })
      await nano.getByText(/^up to \$[\d.]+ \/ image$/).waitFor()
      assert.doesNotMatch((await page.getByRole('option').allTextContents()).join(' '), /tokens/)
      await look(page, 'models')
      // Ids of documents are found, too.
      await model.fill('gemini-nano-banana-2.1')
      await nano.click()
      assert.equal(await model.inputValue(), 'Gemini Nano Banana 2.1')
      await noViolationsInBoth(page)
    })
  })
})
