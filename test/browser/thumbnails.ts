/** Lists and cards load thumbnails, and an image that is opened loads itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { ok } from '../harness/client.ts'
import { noise } from '../harness/pictures.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, field, newDraft, waitUntilLoaded } from './harness/editor.ts'

consoleTests('thumbnails', (of) => {
  /** A workflow whose output is a stored photo of 1.8 MB. */
  async function photo() {
    const { api } = of()
    const bytes = await noise('jpeg', 2_000, 1_500)
    assert.ok(bytes.length > 1_800_000, `${bytes.length} bytes`)
    const image = await upload(api, bytes, 'Photo.jpg')
    const { id } = await save(api, {
      name: 'Poster',
      parameters: [{ name: 'photo', type: 'string', default: image.id }],
      nodes: { photo: { type: 'image', params: { source: '{{ photo }}' } } },
      output: { node: 'photo', format: 'jpeg', quality: 95 },
    })
    const execution = ok(
      await api.post<Execution>('/workflows/execute', { workflowId: id, parameters: { photo: image.id } }),
    )
    return { image, id, executionId: execution.executionId, outputPath: new URL(execution.output?.url ?? '').pathname }
  }

  /** The bodies of images that the page has loaded since this call, by their paths. A response can be reported after its image is drawn. */
  function imagesOf(page: Page) {
    const responses: Response[] = []
    page.on('response', (response) => {
      if (/^\/(images|i)\//.test(new URL(response.url()).pathname)) responses.push(response)
    })
    return async () => {
      const loaded = await Promise.all(
        responses.map(async (response) => {
          // A response to the page before the reload has no body any more.
          const body = await response.body().catch(() => undefined)
          return body === undefined ? [] : [[new URL(response.url()).pathname, body.length] as const]
        }),
      )
      return new Map(loaded.flat())
    }
  }

  /** Thumbnails of images in storage are signed; those of outputs have a path, because none of the account is private. */
  const isSmall = (path: string) => path.endsWith('/thumbnail') || path.startsWith('/i/')

  function assertSmall(loaded: Map<string, number>, count: number) {
    const paths = [...loaded.keys()]
    assert.deepEqual(
      paths.filter((path) => !isSmall(path)),
      [],
    )
    assert.equal(paths.length, count)
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
    assert.ok(bytes < 100_000 * count, `${bytes} bytes for ${count} images`)
  }

  test('the gallery, storage and executions load thumbnails, and an opened image loads itself', async () => {
    const { visit } = of()
    const { image, executionId, outputPath } = await photo()
    await visit('/workflows', async ({ page }) => {
      const loaded = imagesOf(page)
      await page.reload()
      await waitUntilLoaded(page.getByRole('article').filter({ hasText: 'Poster' }).locator('img'))
      await until('the thumbnail', async () => (await loaded()).size > 0 || undefined)
      assertSmall(await loaded(), 1)
    })
    await visit('/executions', async ({ page }) => {
      const loaded = imagesOf(page)
      await page.reload()
      await waitUntilLoaded(page.getByRole('row').filter({ hasText: 'Poster' }).locator('img'))
      await until('the thumbnail', async () => (await loaded()).size > 0 || undefined)
      assertSmall(await loaded(), 1)
    })
    await visit(`/executions/${executionId}`, async ({ page }) => {
      const loaded = imagesOf(page)
      await page.reload()
      await waitUntilLoaded(page.locator('dl').locator(`img[src^="/i/${image.id}.webp?"]`))
      await until('the result', async () => (await loaded()).has(outputPath) || undefined)
    })
    await visit('/storage', async ({ page }) => {
      const loaded = imagesOf(page)
      await page.reload()
      const button = page.getByRole('button', { name: 'Open Photo.jpg' })
      await waitUntilLoaded(button.locator('img'))
      // The output of the execution is stored, too.
      await until('both images', async () => (await loaded()).size === 2 || undefined)
      assertSmall(await loaded(), 2)
      await button.click()
      await waitUntilLoaded(page.getByRole('dialog').getByRole('img', { name: 'Photo.jpg' }))
      const size = await until('the image', async () => (await loaded()).get(new URL(image.url).pathname))
      assert.equal(size, image.size)
    })
  })

  test('the editor loads thumbnails on cards, in fields and in the image picker', async () => {
    const { api, visit } = of()
    const { image } = await photo()
    const workflowId = await newDraft(api, {
      name: 'Editor',
      nodes: { photo: { type: 'image', params: { source: image.id } } },
      output: { node: 'photo', format: 'jpeg' },
    })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const loaded = imagesOf(page)
      await page.reload()
      await waitUntilLoaded(card(page, 'photo').locator('img'))
      await card(page, 'photo').click()
      const source = field(page, 'nodes.photo.params.source')
      await waitUntilLoaded(source.locator('img'))
      await source.getByRole('button', { name: 'Choose', exact: true }).click()
      await waitUntilLoaded(page.getByRole('dialog').getByRole('button', { name: 'Photo.jpg' }).first().locator('img'))
      await until('the thumbnail', async () => (await loaded()).has(`/i/${image.id}.webp`) || undefined)
      const paths = [...(await loaded()).keys()]
      assert.deepEqual(
        paths.filter((path) => !isSmall(path)),
        [],
      )
    })
  })

  test('an image without a thumbnail is shown itself', async () => {
    const { visit } = of()
    const { image } = await photo()
    const path = `/i/${image.id}.webp`
    await visit(
      '/storage',
      async ({ page }) => {
        await page.route(`**${path}?*`, (route) => route.fulfill({ status: 404, body: '' }))
        await page.reload()
        const thumbnail = page.locator(`img[src="${new URL(image.url).pathname}"]`)
        await waitUntilLoaded(thumbnail)
      },
      { expected: [new RegExp(path), /404/] },
    )
  })
})
