/** The page Verify: the history of stored images and of other files. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type Client, ok } from '../harness/client.ts'
import type { Execution, Image } from '../harness/types.ts'
import { fetchImage, idInUrl, save, upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { dropFiles } from './harness/files.ts'
import { reach } from './harness/keys.ts'

const unsigned = new URL('../../examples/samples/star.png', import.meta.url)

/** A signed image that was made from another signed image. */
interface Chain {
  imageId: string
  executionId: string
  bytes: Buffer
}

async function makeChain(api: Client): Promise<Chain> {
  const output = { format: 'png', credentials: 'always' }
  const execute = async (name: string, nodes: Record<string, unknown>, node: string) => {
    const { id: workflowId } = await save(api, { name, nodes, output: { ...output, node } } as never)
    return ok(await api.post<Execution>('/workflows/execute', { workflowId }))
  }
  const sheet = { type: 'canvas', params: { width: 64, height: 48, color: 'teal' } }
  const first = await execute('Sheet', { sheet }, 'sheet')
  const source = await upload(api, await fetchImage(api, first.output?.url ?? ''), 'sheet.png')
  const small = { type: 'resize', inputs: { image: 'photo' }, params: { width: 32, height: 24 } }
  const last = await execute('Small sheet', { photo: { type: 'image', params: { source: source.id } }, small }, 'small')
  const url = last.output?.url ?? ''
  return { imageId: idInUrl(url), executionId: last.executionId, bytes: await fetchImage(api, url) }
}

consoleTests('the history of an image', (of) => {
  let chain: Chain

  before(async () => {
    chain = await makeChain(of().api)
  })

  const choose = async (page: Page, name: string, buffer: Buffer) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: /^Verify (a|another) file$/ }).click(),
    ])
    await chooser.setFiles([{ name, mimeType: 'image/png', buffer }])
  }
  const result = (page: Page) => page.getByRole('region', { name: 'Result' })
  const details = (page: Page) => page.getByRole('region', { name: 'Details' })
  const cardOf = (page: Page, name: RegExp): Locator =>
    page.getByRole('region', { name: /^History as a graph/ }).getByRole('button', { name })

  test('a stored image leads to its history, which works with the keyboard and after a reload', async () => {
    const { visit } = of()
    await visit(`/storage?image=${chain.imageId}`, async ({ page }) => {
      await page.getByRole('dialog').getByRole('link', { name: 'History' }).click()
      await page.waitForURL(`**/verify?image=${chain.imageId}`)
      await result(page).getByText('Trusted').waitFor()
      await page.reload()
      const file = cardOf(page, /^This file.*Small sheet\.png.*Trusted/s)
      await reach(page, file)
      await page.keyboard.press('ArrowLeft')
      await cardOf(page, /^Actions of Small sheet\.png.*Opened.*Resized/s)
        .and(page.locator(':focus'))
        .waitFor()
      await details(page).getByRole('heading', { name: 'Actions of Small sheet.png' }).waitFor()
      await page.keyboard.press('ArrowLeft')
      await cardOf(page, /^Opened.*sheet\.png.*Trusted/s)
        .and(page.locator(':focus'))
        .waitFor()
      await details(page).getByText('Canvas (node sheet)').waitFor()
      await page.keyboard.press('Home')
      await file.and(page.locator(':focus')).waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await reach(page, details(page).getByRole('link', { name: 'Small sheet' }))
      await details(page).getByRole('link', { name: 'View the execution' }).click()
      await page.waitForURL(`**/executions/${chain.executionId}`)
      await page.getByRole('link', { name: 'History' }).click()
      await page.waitForURL(`**/verify?image=${chain.imageId}`)
      await result(page).getByText('Trusted').waitFor()
    })
  })

  test('on a phone, the history is an outline, and details open in a dialog', async () => {
    const { visit } = of()
    const open = async ({ page }: { page: Page }) => {
      const outline = page.getByRole('list', { name: 'History as an outline' })
      const ingredients = outline.getByRole('list', { name: 'Ingredients of Small sheet.png' })
      await outline.getByRole('button', { name: /^This file.*Opened, Resized/s }).waitFor()
      const ingredient = ingredients.getByRole('button', { name: /sheet\.png.*Trusted.*Created/s })
      await ingredient.click()
      await page.getByRole('dialog', { name: 'Details' }).getByText('Canvas (node sheet)').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      await page.keyboard.press('Escape')
      await ingredient.and(page.locator(':focus')).waitFor()
    }
    await visit(`/verify?image=${chain.imageId}`, open, { width: 390, height: 844 })
  })

  test('a file is verified without being stored: changed, without credentials, and not an image', async () => {
    const { api, visit } = of()
    const stored = async () => ok(await api.get<{ images: Image[] }>('/storage/images')).images.length
    const before = await stored()
    await visit('/verify', async ({ page }) => {
      await page.getByText('Drop an image here').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      const changed = Buffer.from(chain.bytes)
      // In the pixels, which are the last part of a PNG.
      changed[changed.length - 24] = (changed.at(-24) ?? 0) ^ 1
      await choose(page, 'changed.png', changed)
      await result(page).getByText('Invalid').waitFor()
      await result(page).getByText('The image was changed after it was signed.').waitFor()
      await details(page).getByText('assertion.dataHash.mismatch').waitFor()
      await dropFiles(page, [{ name: 'star.png', type: 'image/png', bytes: await readFile(unsigned) }])
      await page.getByRole('heading', { name: 'star.png', level: 1 }).waitFor()
      await result(page).getByText('No Content Credentials').waitFor()
      await result(page)
        .getByText(/^This proves nothing/)
        .waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      const [response] = await Promise.all([
        page.waitForResponse('**/v1/verify'),
        choose(page, 'notes.png', Buffer.from('Buy milk.')),
      ])
      await page.getByRole('heading', { name: 'The file couldn’t be verified' }).waitFor()
      const { error } = (await response.json()) as { error: { message: string } }
      await page.getByText(error.message).waitFor()
    })
    assert.equal(await stored(), before)
  })

  test('too many requests, no network and the end of the session delay the verification', async () => {
    const { visit, key } = of()
    await visit('/verify', async ({ page, context }) => {
      let limited = 1
      const shown = Promise.withResolvers<void>()
      await page.route('**/v1/verify', async (route) => {
        if (limited-- > 0)
          return route.fulfill({
            status: 429,
            headers: { 'retry-after': '1' },
            json: { error: { code: 'rate_limited', message: 'Too many requests.', details: {} } },
          })
        // The status is shown until the next response, also on a slow machine.
        await shown.promise
        return route.continue()
      })
      await choose(page, 'limited.png', chain.bytes)
      await page.getByRole('status').filter({ hasText: 'Too many requests. Trying again in 1 s' }).waitFor()
      shown.resolve()
      await result(page).getByText('Trusted').waitFor()

      await context.setOffline(true)
      await choose(page, 'offline.png', chain.bytes)
      await page.getByRole('heading', { name: 'You are offline' }).waitFor()
      await context.setOffline(false)
      await result(page).getByText('Trusted').waitFor()

      await context.request.delete('/v1/session', { headers: { 'sec-fetch-site': 'same-origin' } })
      await choose(page, 'late.png', chain.bytes)
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await dialog.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'late.png', level: 1 }).waitFor()
      await result(page).getByText('Trusted').waitFor()
    })
  })

  test('hundreds of ingredients are shown in steps', async () => {
    const { visit } = of()
    const parts = Array.from({ length: 300 }, (_, index) => ({
      title: `${index}.png`,
      relationship: 'componentOf',
      credentials: null,
    }))
    await visit('/verify', async ({ page }) => {
      await page.route('**/v1/verify', async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { credentials: Record<string, unknown> }
        Object.assign(body.credentials, { ingredients: parts, isShortened: true })
        await route.fulfill({ response, json: body })
      })
      await choose(page, 'many.png', chain.bytes)
      await page.getByText(/^Shortened: /).waitFor()
      await reach(page, cardOf(page, /^This file/))
      await page.keyboard.press('ArrowLeft')
      const more = cardOf(page, /^292 more ingredients/)
      await more.focus()
      await page.keyboard.press('Enter')
      await cardOf(page, /^Placed.*8\.png/s)
        .and(page.locator(':focus'))
        .waitFor()
      await cardOf(page, /^252 more ingredients/).waitFor()
      await page.getByText('Outline', { exact: true }).click()
      const outline = page.getByRole('list', { name: 'Ingredients of many.png' })
      await outline.getByRole('button', { name: 'Show more of 252 ingredients' }).click()
      await outline.getByRole('button', { name: /^Placed.*87\.png/s }).waitFor()
    })
  })

  test('an output is executed again and compared, and the first difference is marked', async () => {
    const { visit } = of()
    const comparison = (page: Page) => page.getByRole('region', { name: 'Comparison' })
    const start = (page: Page) => comparison(page).getByRole('button', { name: 'Execute again and compare' }).click()
    const steps = (page: Page) => comparison(page).getByRole('list', { name: 'Compared steps' }).getByRole('listitem')
    await visit(
      `/verify?image=${chain.imageId}`,
      async ({ page }) => {
        await start(page)
        await comparison(page).getByText('The execution gave the same pixels again.').waitFor()
        await steps(page)
          .filter({ hasText: /^equalphotoimage$/ })
          .waitFor()

        const message = 'The first difference is at node "small" (resize). Its pixels differ from the recorded ones.'
        const small = { node: 'small', operation: 'resize' }
        const responses = [
          { status: 503, json: { error: { code: 'unavailable', message: 'Another one is running.', details: {} } } },
          {
            json: {
              format: 'png',
              size: 1,
              sha256: '0',
              credentials: null,
              reexecution: {
                result: 'different',
                message,
                steps: [
                  { node: 'photo', operation: 'image', result: 'unknown' },
                  { ...small, result: 'different', message: 'Its pixels differ from the recorded ones.' },
                ],
                firstDifference: { ...small, message: 'Its pixels differ from the recorded ones.' },
                output: { sameSize: true, differing: 0.25, maxDifference: 7 },
              },
            },
          },
        ]
        await page.route('**/v1/verify?reexecute=true', (route) => route.fulfill(responses.shift() ?? {}))
        await start(page)
        await comparison(page).getByRole('alert').getByText('Another one is running.').waitFor()
        await start(page)
        await comparison(page).getByRole('status').getByText(message).waitFor()
        await comparison(page).getByText('25% of the pixels of the output differ, by at most 7 of 255.').waitFor()
        await steps(page)
          .filter({ hasText: /^differentsmall.*first difference/ })
          .waitFor()
        assert.equal(await comparison(page).getByRole('alert').count(), 0)
        assert.deepEqual(await seriousViolations(page), [])
      },
      { expected: [/503/] },
    )
  })
})
