/** Run links: from the dialog of the owner to the page of a person without an account, also on a phone. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { plain } from '../harness/pictures.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { idInUrl, run, save, upload } from '../harness/workflows.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { screenshot } from './harness/screenshot.ts'

/** A card of a photo and a text. */
const card = (photo: string) => ({
  name: 'Holiday card',
  description: 'Your photo on a card.',
  parameters: [
    { name: 'photo', type: 'string', format: 'image', required: true, description: 'A photo of you.' },
    { name: 'cardWidth', type: 'number', default: 300, minimum: 20, maximum: 400 },
    {
      name: 'tone',
      type: 'string',
      format: 'enum',
      enum: ['warm', 'cold'],
      labels: { warm: 'Warm light' },
      default: 'warm',
    },
    { name: 'frame', type: 'string', format: 'color', default: '#ff0000' },
    { name: 'greeting', type: 'string', format: 'multiline', default: 'Hello' },
    { name: 'bright', type: 'string', format: 'boolean', default: 'true' },
  ],
  nodes: {
    load: { type: 'image', params: { source: '{{ photo }}' } },
    small: { type: 'resize', inputs: { image: 'load' }, params: { width: '{{ cardWidth }}' } },
  },
  output: { node: 'small', format: 'png' },
  examples: [{ name: 'wide', parameters: { photo, cardWidth: 380, greeting: 'Hello from the sea' } }],
})

const phone = { width: 390, height: 844, key: null, context: { hasTouch: true, isMobile: true } } as const
const shots = process.env.TINTYPE_SHOTS

consoleTests('run links', (of) => {
  let workflowId: string
  let source: string
  let host: SourceHost
  before(async () => {
    source = (await upload(of().api, await plain('png'))).id
    workflowId = (await save(of().api, card(source) as Document)).id
    host = await startSourceHost()
  })
  after(() => host.close())

  async function newLink(body: object = {}): Promise<{ id: string; path: string }> {
    const { api, service } = of()
    const created = ok(await api.post<{ id: string; runUrl: string }>('/keys', { workflowId, ...body }), 201)
    assert.ok(created.runUrl.startsWith(`${service.origin}/run/#tt_link_`), created.runUrl)
    return { id: created.id, path: created.runUrl.slice(service.origin.length) }
  }

  async function choosePhoto(page: Page): Promise<void> {
    const photo = await plain('jpeg', 200, 100, '#3070a0')
    await page.getByLabel('Photo').setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: photo })
    await page.getByText('me.jpg').waitFor()
  }

  const picture = (page: Page) => page.getByRole('img', { name: 'Holiday card', exact: true })
  const width = (page: Page) => picture(page).evaluate((image: { naturalWidth: number }) => image.naturalWidth)

  test('the owner creates a link, a person without an account runs it on a phone, and the owner revokes it', async () => {
    const { visit } = of()
    await visit(`/workflows/${workflowId}/run`, async ({ page }) => {
      await page.getByRole('button', { name: 'Share…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share with people without an account' })
      await dialog.getByLabel('Name').fill('Family')
      await dialog.getByLabel('Runs per minute').fill('5')
      await dialog.getByRole('button', { name: 'Create link' }).click()
      const url = await dialog.getByLabel('Link', { exact: true }).inputValue()
      await dialog.getByRole('group', { name: 'Family' }).getByText('$0 of $1.00 today').waitFor()
      assert.deepEqual(await seriousViolations(page), [])
      if (shots) await screenshot(page, `${shots}/share.png`)

      await visit(
        new URL(url).pathname + new URL(url).hash,
        async ({ page: own }) => {
          await own.getByText('Your image will appear here.').waitFor()
          await choosePhoto(own)
          await own.getByRole('button', { name: 'Run' }).click()
          await own.getByText('Your image is ready.').waitFor()
          assert.equal(await width(own), 300)
          if (shots) await screenshot(own, `${shots}/phone.png`)
          // The last image is there after a reload.
          await own.reload()
          await picture(own).waitFor()

          const row = dialog.getByRole('group', { name: 'Family' })
          await row.getByRole('button', { name: 'Revoke' }).click()
          await row.waitFor({ state: 'detached' })
          await dialog.getByText('Copy the link now').waitFor({ state: 'detached' })
          await choosePhoto(own)
          await own.getByRole('button', { name: 'Run' }).click()
          await own.getByText('This link has expired or was withdrawn. Ask the person who shared it.').waitFor()
          await own.getByText('Your image before.').waitFor()
          await own.reload()
          await own.getByRole('heading', { name: 'This page can’t be shown' }).waitFor()
          assert.deepEqual(await seriousViolations(own), [])
        },
        phone,
      )
    })
  })

  test('the owner edits every setting of a link, also with the keyboard', async () => {
    const { visit, api } = of()
    const { url } = await run(api, (await save(api, example)).id)
    const { id } = await newLink({ name: 'Guests', exampleImageId: idInUrl(url), monthlyBudgetUsd: 3 })
    await visit(`/workflows/${workflowId}/run`, async ({ page }) => {
      await page.getByRole('button', { name: 'Share…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Share with people without an account' })
      const edit = dialog.getByRole('group', { name: 'Guests' }).getByRole('button', { name: 'Edit' })
      await edit.press('Enter')
      const form = dialog.getByRole('form', { name: 'Edit Guests' })
      assert.equal(await form.getByLabel('Name').inputValue(), 'Guests')
      await dialog.getByRole('form', { name: 'New link' }).waitFor({ state: 'detached' })
      if (shots) await screenshot(page, `${shots}/edit-link.png`)
      await form.getByRole('button', { name: 'Cancel' }).press('Enter')
      await form.waitFor({ state: 'detached' })
      await dialog.locator('button[aria-expanded]:focus').waitFor()

      await edit.press('Enter')
      await page.keyboard.press('Control+A')
      await page.keyboard.type('Visitors')
      assert.equal(await form.getByLabel('Monthly budget').inputValue(), '$3')
      await form.getByLabel('Monthly budget').fill('4')
      await form.getByLabel('Daily budget').fill('2')
      await form.getByLabel('Runs per minute').fill('7')
      await form.getByLabel('Expires').selectOption('In 90 days')
      await form.getByLabel('Example image').selectOption('None')
      assert.deepEqual(await seriousViolations(page), [])
      await form.getByLabel('Name').press('Enter')
      await dialog.getByRole('group', { name: 'Visitors' }).getByText('$0 of $2.00 today').waitFor()
      await dialog.getByRole('form', { name: 'New link' }).waitFor()
      const link = ok(
        await api.get<{ expiresAt: string; exampleImageId?: string; executionsPerMinute: number }>(`/keys/${id}`),
      )
      const days = Math.round((Date.parse(link.expiresAt) - Date.now()) / 86_400_000)
      assert.deepEqual([days, link.exampleImageId, link.executionsPerMinute], [90, undefined, 7])
      ok(await api.delete(`/keys/${id}`))
    })
  })

  test('a person cancels a run on a phone, and starts another one', async () => {
    const { visit, api } = of()
    const held = host.hold()
    const { id } = await save(api, {
      name: 'Slow card',
      parameters: [{ name: 'source', type: 'string', format: 'url', default: held.url }],
      nodes: { load: { type: 'image', params: { source: '{{ source }}' } } },
      output: { node: 'load', format: 'png' },
    } as Document)
    const { path } = await newLink({ workflowId: id })
    await visit(
      path,
      async ({ page }) => {
        await page.getByRole('button', { name: 'Run' }).click()
        const cancel = page.getByRole('button', { name: 'Cancel' })
        await held.waiting()
        await cancel.waitFor()
        assert.deepEqual(await seriousViolations(page), [])
        const [box, over] = [
          await cancel.boundingBox(),
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ]
        assert.ok(box && box.width >= 44 && box.height >= 44, JSON.stringify(box))
        assert.equal(over, 0)
        if (shots) await screenshot(page, `${shots}/cancel.png`)
        const refusal = { error: { code: 'rate_limited', message: 'Too many.', retryAfter: 7 } }
        await page.route('**/cancel', (route) => route.fulfill({ status: 429, json: refusal }), { times: 1 })
        await cancel.press('Enter')
        await page.getByText('The run was not cancelled. Try again in 7 seconds.').waitFor()
        if (shots) await screenshot(page, `${shots}/not-cancelled.png`)

        const answer = Promise.withResolvers<void>()
        let requests = 0
        await page.route('**/cancel', async (route) => {
          requests++
          await answer.promise
          await route.continue()
        })
        await cancel.press('Enter')
        const cancelling = page.getByRole('button', { name: 'Cancelling…' })
        await cancelling.press('Enter')
        assert.equal(await cancelling.getAttribute('aria-disabled'), 'true')
        assert.deepEqual(await seriousViolations(page), [])
        if (shots) await screenshot(page, `${shots}/cancelling.png`)
        answer.resolve()
        await page.getByText('The run was cancelled.').waitFor()
        await cancelling.waitFor({ state: 'detached' })
        assert.equal(requests, 1)
        await page.locator('button.primary:focus').waitFor()
        await page.unroute('**/cancel')

        // A run that ends by itself while its button to cancel has the focus.
        const next = host.hold()
        await page.getByLabel('Source (optional)').fill(next.url)
        await page.getByRole('button', { name: 'Run' }).click()
        await next.waiting()
        await cancel.focus()
        next.release()
        await page.getByText('Your image is ready.').waitFor()
        await page.locator('button.primary:focus').waitFor()

        await page.getByLabel('Source (optional)').fill(host.url('/next'))
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText('Your image is ready.').waitFor()

        const text = host.serve('/text', (_request, response) => response.end('No image'))
        await page.getByLabel('Source (optional)').fill(text)
        await page.getByRole('button', { name: 'Run' }).click()
        await page
          .getByText(
            /^This workflow could not make an image\. Report it to the person who sent you this link: execution exec_\w+\.$/,
          )
          .waitFor()
        if (shots) await screenshot(page, `${shots}/failed.png`)
      },
      { ...phone, expected: [/429/] },
    )
    held.release()
  })

  test('a limit of uploads is a problem of the file, and Run stays enabled', async () => {
    const { visit } = of()
    const { path } = await newLink()
    const message = 'The run link has reached its limit of 2000 uploads per day. Retry in 86000 s.'
    const refusal = { error: { code: 'rate_limited', message, retryAfter: 86_000 } }
    await visit(
      path,
      async ({ page }) => {
        await page.route('**/run-link/images', (route) => route.fulfill({ status: 429, json: refusal }))
        await choosePhoto(page)
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText(message).waitFor()
        await page.getByText('The file was not sent. Run again later.').waitFor()
        assert.equal(await page.getByLabel('Photo').getAttribute('aria-invalid'), 'true')
        assert.equal(await page.getByRole('button', { name: 'Run' }).getAttribute('aria-disabled'), 'false')
        if (shots) await screenshot(page, `${shots}/uploads.png`)
        await page.unroute('**/run-link/images')
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText('Your image is ready.').waitFor()
      },
      { ...phone, expected: [/429/] },
    )
  })

  test('the page loads no part of the console, sends its key in no URL and no cookie, and works by keyboard', async () => {
    const { path } = await newLink()
    const { visit } = of()
    await visit(
      '/health/live',
      async ({ page }) => {
        const requested: string[] = []
        const cookies: (string | undefined)[] = []
        page.on('request', (request) => {
          requested.push(request.url())
          cookies.push(request.headers().cookie)
        })
        await page.goto(path)
        await page.getByRole('heading', { name: 'Holiday card' }).waitFor()
        const scripts = requested.filter((url) => url.endsWith('.js'))
        assert.ok(scripts.length <= 3, scripts.join('\n'))
        assert.ok(
          scripts.every((url) => /\/assets\/(run|react|rolldown-runtime)-/.test(url)),
          scripts.join('\n'),
        )
        assert.ok(requested.every((url) => !new URL(url).href.split('#')[0]?.includes('tt_link')))
        assert.deepEqual(new Set(cookies), new Set([undefined]))

        await choosePhoto(page)
        await page.getByRole('button', { name: 'wide' }).focus()
        await page.keyboard.press('Enter')
        assert.equal(await page.getByLabel('Card width').inputValue(), '380')
        assert.equal(await page.getByLabel('Greeting').inputValue(), 'Hello from the sea')
        await page.getByLabel('Card width').focus()
        await page.keyboard.press('Enter')
        await page.getByText('Your image is ready.').waitFor()
        assert.equal(await width(page), 380)
      },
      // The page before it has no icon.
      { key: null, expected: [/404/] },
    )
  })

  test('it has targets of 44 pixels on a phone, fits its width, and axe finds nothing in both themes', async () => {
    const { visit, api } = of()
    const { url } = await run(api, (await save(api, example)).id)
    const { path } = await newLink({ exampleImageId: idInUrl(url) })
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const size of [phone, { ...phone, width: 1280, height: 800, context: {} }]) {
        await visit(
          path,
          async ({ page }) => {
            await page.getByRole('img', { name: 'An example of Holiday card' }).waitFor()
            assert.deepEqual(await seriousViolations(page), [])
            const small = (await page.evaluate(`[...document.querySelectorAll('a, button, input, select, textarea')]
              .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
              .filter(([, { width, height }]) => width < 44 || height < 44).map(([text]) => text)`)) as string[]
            assert.deepEqual(small, [])
            const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
            assert.equal(over, 0)
            const [image, heading] = await Promise.all([
              page.getByRole('img', { name: 'An example of Holiday card' }).boundingBox(),
              page.getByRole('heading', { name: 'Holiday card' }).boundingBox(),
            ])
            assert.ok(image && heading)
            // The image is above the form on a phone, and next to it on a desktop.
            if (size.width === 390) assert.ok(image.y + image.height <= heading.y)
            else assert.ok(image.x + image.width <= heading.x)
            if (shots) await screenshot(page, `${shots}/page-${size.width}-${colorScheme}.png`)
          },
          { ...size, colorScheme },
        )
      }
    }
  })

  test('refusals are in plain words: wrong values, too many runs, and an address without a key', async () => {
    const { visit } = of()
    const { path } = await newLink({ executionsPerMinute: 1 })
    await visit(
      path,
      async ({ page }) => {
        const notes = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('No image') }
        await page.getByLabel('Photo').setInputFiles(notes)
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText(/^The file is not an image/).waitFor()
        assert.equal(await page.getByLabel('Photo').getAttribute('aria-invalid'), 'true')
        await choosePhoto(page)
        await page.getByLabel('Frame (optional)').fill('reddish')
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText('Some values can’t be used. Change them, and run again.').waitFor()
        assert.equal(await page.getByLabel('Frame (optional)').getAttribute('aria-invalid'), 'true')
        await page.getByLabel('Frame (optional)').fill('#00ff00')
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText(/There are too many runs with this link. You can run again in \d+ seconds?\./).waitFor()
        assert.equal(await page.getByRole('button', { name: 'Run' }).getAttribute('aria-disabled'), 'true')
        await page.goto('/run/#')
        await page.getByText('This address is incomplete. Open the whole link that you got.').waitFor()
      },
      phone,
    )
  })

  test('a link without a budget for models says that its budget is used up', async () => {
    const { visit, api } = of()
    const drawn = {
      name: 'Drawn',
      parameters: [{ name: 'prompt', type: 'string', default: 'A red door' }],
      nodes: { draw: { type: 'generate', params: { prompt: '{{ prompt }}', model: 'fal/fal-ai/flux/schnell' } } },
      output: { node: 'draw', format: 'png' },
    }
    const { id } = await save(api, drawn as Document)
    const { path } = await newLink({ workflowId: id })
    await visit(
      path,
      async ({ page }) => {
        await page.getByText('Uses the budget of the person who shared this link.').waitFor()
        await page.getByRole('button', { name: 'Run' }).click()
        await page.getByText(/The budget of this link for today is used up. You can run again after /).waitFor()
        if (shots) await screenshot(page, `${shots}/budget.png`)
      },
      phone,
    )
  })
})

const example: Document = {
  name: 'Example',
  nodes: { sheet: { type: 'canvas', params: { width: 600, height: 400, color: '#e9a576' } } },
  output: { node: 'sheet', format: 'png' },
}
