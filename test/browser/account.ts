/** Images, keys, code snippets and the command palette. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { ok } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { until } from '../harness/wait.ts'
import { save, upload } from '../harness/workflows.ts'
import { copiedBy } from './harness/clipboard.ts'
import { consoleTests } from './harness/console.ts'
import { card, field, waitUntilLoaded } from './harness/editor.ts'
import { dropFiles } from './harness/files.ts'

const samples = new URL('../../examples/samples/', import.meta.url)

function sized(name: string): Document {
  return {
    name,
    parameters: [{ name: 'width', type: 'number', default: 60, minimum: 20, maximum: 400 }],
    nodes: { sheet: { type: 'canvas', params: { width: '{{ width }}', height: 40, color: 'teal' } } },
    output: { node: 'sheet', format: 'png' },
  }
}

consoleTests('the console around workflows', (of) => {
  test('dropped images are uploaded with progress, opened and deleted, and a deletion can be undone', async () => {
    const { api, visit } = of()
    await upload(api, await readFile(new URL('coffee.jpg', samples)), 'coffee.jpg')
    await visit('/storage', async ({ page }) => {
      await page.getByRole('list', { name: 'Images' }).waitFor()
      await dropSamples(page, ['star.png', 'badge.png'])
      const uploads = page.getByRole('region', { name: 'Uploads' })
      await uploads.getByText('2 images uploaded').waitFor()
      await uploads.getByRole('progressbar', { name: 'Upload of star.png' }).waitFor()
      await page.getByRole('button', { name: 'Open star.png' }).click()
      const drawer = page.getByRole('dialog', { name: 'star.png' })
      await waitUntilLoaded(drawer.getByRole('img', { name: 'star.png' }))
      await drawer.getByText(/pixels/).waitFor()
      const id = new URL(page.url()).searchParams.get('image') ?? ''
      assert.match(id, /^img_/)
      await drawer.getByRole('button', { name: 'Delete' }).click()
      const open = page.getByRole('button', { name: 'Open star.png' })
      await open.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await open.waitFor()
      assert.equal((await api.get(`/storage/images/${id}`)).status, 200)
      await page.getByRole('checkbox', { name: 'Select star.png' }).check()
      await page.keyboard.press('Delete')
      await open.waitFor({ state: 'detached' })
      // The button stays. Leaving the page deletes the images, and removes it.
      const undo = page.getByRole('button', { name: 'Undo' })
      await undo.waitFor()
      await page.getByRole('link', { name: 'Brand', exact: true }).click()
      await undo.waitFor({ state: 'detached' })
      await until('the image to be gone', async () => {
        const { status } = await api.get(`/storage/images/${id}`)
        return status === 404 || undefined
      })
      await page.goto('/storage')
      await page.getByRole('button', { name: 'Open badge.png' }).waitFor()
      assert.equal(await open.count(), 0)
    })
  })

  test('a file that is not an image shows an error and can be removed from the list', async () => {
    const { visit } = of()
    await visit('/storage', async ({ page }) => {
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      const buffer = Buffer.from('Buy milk.')
      await (await choosing).setFiles([{ name: 'notes.png', mimeType: 'image/png', buffer }])
      const uploads = page.getByRole('region', { name: 'Uploads' })
      await uploads.getByText(/image/i).first().waitFor()
      await uploads.getByRole('button', { name: 'Upload notes.png again' }).waitFor()
      await uploads.getByRole('button', { name: 'Remove notes.png' }).click()
      await uploads.waitFor({ state: 'detached' })
    })
  })

  test('an upload after the end of the session asks for the key, and can be repeated', async () => {
    const { visit, key } = of()
    await visit('/storage', async ({ page, context }) => {
      await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
      await context.request.delete('/v1/session', { headers: { 'sec-fetch-site': 'same-origin' } })
      const choosing = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Upload', exact: true }).click()
      const buffer = await readFile(new URL('star.png', samples))
      await (await choosing).setFiles([{ name: 'late.png', mimeType: 'image/png', buffer }])
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await dialog.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const uploads = page.getByRole('region', { name: 'Uploads' })
      await uploads.getByRole('button', { name: 'Upload late.png again' }).click()
      await uploads.getByText('1 image uploaded').waitFor()
    })
  })

  test('the copied curl and TypeScript code runs unchanged and makes the image with the values of the form', async (t) => {
    const { api, visit, key } = of()
    const { id } = await save(api, sized('As code'))
    const folder = await mkdtemp(join(tmpdir(), 'tintype-code-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    await visit(
      `/workflows/${id}/api`,
      async ({ page }) => {
        await field(page, 'parameters.width').getByRole('textbox').fill('123')
        for (const [label, language, file, command] of [
          ['curl', 'curl', 'call.sh', ['sh', 'call.sh']],
          ['TypeScript', 'typescript', 'call.ts', [process.execPath, 'call.ts']],
        ] as const)
          for (const mode of ['Wait', 'Stream'] as const) {
            await page.getByRole('radiogroup', { name: 'Language' }).getByText(label, { exact: true }).click()
            await page.getByText(mode, { exact: true }).click()
            const code = await copiedBy(page, () =>
              page.getByRole('button', { name: `Copy the call in ${language}` }).click(),
            )
            assert.ok(!code.includes(key), 'the key stays out of the code')
            await writeFile(join(folder, file), code)
            const [program, ...args] = command
            const env = { ...process.env, TINTYPE_KEY: key }
            const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env })
            const [url] = /http:\/\/127\.0\.0\.1[^"\s]+\.png/.exec(stdout) ?? []
            assert.ok(url, `${label}, ${mode}: ${stdout}`)
            const response = await fetch(url)
            // The width of a PNG.
            assert.equal(Buffer.from(await response.arrayBuffer()).readUInt32BE(16), 123)
            await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
          }
      },
      { hasClipboard: true },
    )
  })

  test('a key is created and shown once, works, is rotated and revoked', async () => {
    const { api, visit } = of()
    await visit('/keys', async ({ page }) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill('Shop backend')
      for (const permission of ['Read images', 'Change images', 'Read projects'])
        await page.getByRole('checkbox', { name: permission }).uncheck()
      await page.getByRole('button', { name: 'Create key' }).click()
      const first = await displayedKey(page)
      const row = page.getByRole('row').filter({ hasText: 'Shop backend' })
      await row.getByText('Read workflows, Execute workflows').waitFor()
      assert.ok(!(await page.content()).includes(first))
      ok(await api.as(first).get('/workflows'))
      assert.equal((await api.as(first).get('/storage/images')).status, 403)

      await row.getByRole('button', { name: 'Actions for Shop backend' }).click()
      await page.getByRole('menuitem', { name: 'Rotate…' }).click()
      await page.getByLabel('The old key').selectOption('Expires immediately')
      await page.getByRole('button', { name: 'Rotate' }).click()
      const second = await displayedKey(page)
      assert.equal((await api.as(first).get('/workflows')).status, 401)
      ok(await api.as(second).get('/workflows'))
      // The row of the old key stays until the list is loaded again.
      await row.filter({ hasText: second.slice(0, 12) }).waitFor()

      await page.getByRole('button', { name: 'Actions for Shop backend' }).click()
      await page.getByRole('menuitem', { name: 'Revoke…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
      await row.waitFor({ state: 'detached' })
      assert.equal((await api.as(second).get('/workflows')).status, 401)
      await page.getByRole('switch').focus()
      await page.keyboard.press('Space')
      const revoked = row.filter({ hasText: 'revoked' })
      await until('two revoked keys', async () => (await revoked.count()) === 2 || undefined)
    })
  })

  test('a key with the default permissions opens every page and runs a shared link with an uploaded image', async () => {
    const { api, visit } = of()
    const { id } = await save(api, {
      name: 'Shared link',
      parameters: [{ name: 'photo', type: 'string', required: true }],
      nodes: {
        photo: { type: 'image', params: { source: '{{ photo }}' } },
        small: { type: 'resize', inputs: { image: 'photo' }, params: { width: 48, height: 32 } },
      },
      output: { node: 'small', format: 'png' },
    })
    let key = ''
    await visit('/keys', async ({ page }) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill('Colleague')
      await page.getByRole('button', { name: 'Create key' }).click()
      key = await displayedKey(page)
    })
    await visit(
      `/workflows/${id}/run`,
      async ({ page }) => {
        const refused: string[] = []
        page.on('response', (response) => {
          if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`)
        })
        await field(page, 'parameters.photo').getByRole('button', { name: 'Choose', exact: true }).click()
        const choose = page.getByRole('dialog').getByRole('button', { name: 'Choose a file' })
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.click()])
        const buffer = await readFile(new URL('coffee.jpg', samples))
        await chooser.setFiles([{ name: 'of a colleague.jpg', mimeType: 'image/jpeg', buffer }])
        await field(page, 'parameters.photo')
          .getByText(/of a colleague/)
          .waitFor()
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await waitUntilLoaded(page.getByRole('img', { name: 'Shared link' }))
        for (const [path, request] of [
          ['/workflows', '/v1/projects'],
          [`/workflows/${id}`, `/v1/workflows/${id}`],
          ['/executions', '/v1/workflows/executions'],
          ['/storage', '/v1/storage/images'],
          ['/usage', '/v1/usage'],
        ] as const) {
          const response = page.waitForResponse((each) => new URL(each.url()).pathname === request)
          await page.goto(path)
          await response
        }
        assert.deepEqual(refused, [])
      },
      { key },
    )
  })

  test('the audit log shows who changed a workflow, with filters and a CSV file', async () => {
    const { api, visit } = of()
    const { id } = await save(api, sized('Recorded'))
    ok(await api.put(`/workflows/${id}`, sized('Recorded again')))
    await visit('/audit', async ({ page }) => {
      const table = page.getByRole('table', { name: 'Audit log' })
      await table.getByText('session.start').first().waitFor()
      await page.getByRole('textbox', { name: 'Record' }).fill(id)
      await table.getByText('session.start').first().waitFor({ state: 'detached' })
      assert.equal(await table.getByRole('row').count(), 3)
      await table.getByText('name: Recorded → Recorded again').waitFor()
      await page.getByRole('combobox', { name: 'Action' }).selectOption('workflow.create')
      await table.getByText('workflow.save').waitFor({ state: 'detached' })
      const download = page.waitForEvent('download')
      await page.getByRole('link', { name: 'Download CSV' }).click()
      const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
      assert.equal(lines.length, 2)
      assert.match(lines[1] ?? '', new RegExp(`workflow.create,${id}`))
    })
  })

  test('with a key of few permissions, every page shows what is not allowed, and no page breaks', async () => {
    const { api, visit } = of()
    const { id } = await save(api, sized('Read only'))
    const created = ok(
      await api.post<{ key: string }>('/keys', { name: 'Reader', permissions: ['workflows:read'] }),
      201,
    )
    await visit(
      '/keys',
      async ({ page }) => {
        await page.getByText('The key of this session can’t manage keys').waitFor()
        await page.goto('/audit')
        await page.getByText('The key of this session can’t read the audit log').waitFor()
        await page.goto('/storage')
        await page
          .getByText(/storage:read|may not/)
          .first()
          .waitFor()
        await page.goto('/usage')
        await page.getByRole('heading', { name: 'Usage' }).waitFor()
        await page.goto('/executions')
        await page.getByRole('heading', { name: 'Executions' }).waitFor()
        await page.goto('/workflows')
        await page.getByRole('link', { name: 'Read only' }).click()
        await card(page, 'sheet').waitFor()
        await page.keyboard.press('Control+Enter')
        await page
          .getByText(/workflows:(write|execute)|may not/)
          .first()
          .waitFor()
        await page.goto(`/workflows/${id}/run`)
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await page
          .getByRole('alert')
          .getByText(/workflows:execute|may not/)
          .waitFor()
      },
      { key: created.key },
    )
  })

  test('keys that are pressed while the palette loads are for its search, not for the page', async () => {
    const { api, visit } = of()
    await save(api, sized('Slowly found'))
    await visit('/workflows', async ({ page }) => {
      await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
      const loading = Promise.withResolvers<void>()
      await page.route(/\/palette-[^/]+\.js$/, async (route) => {
        await loading.promise
        await route.continue()
      })
      await page.keyboard.press('Control+k')
      // `?` and `/` are shortcuts of the page.
      await page.keyboard.type('?/')
      for (let key = 0; key < 2; key += 1) await page.keyboard.press('Backspace')
      await page.keyboard.type('slowly fou')
      loading.resolve()
      await page.getByRole('dialog').locator('[data-selected]').getByText('Slowly found').waitFor()
      const find = page.getByLabel('Find an action, a page, a workflow or an execution')
      assert.equal(await find.inputValue(), 'slowly fou')
      await page.keyboard.type('nd')
      assert.equal(await find.inputValue(), 'slowly found')
      await page.keyboard.press('Escape')
      await find.waitFor({ state: 'detached' })
      // The keys are shortcuts again.
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    })
  })

  test('Ctrl+K finds everything, ? lists the shortcuts, and the colour scheme is remembered', async () => {
    const { api, visit } = of()
    await save(api, sized('Findable'))
    await visit('/workflows', async ({ page }) => {
      await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
      await page.keyboard.press('Control+k')
      const find = page.getByLabel('Find an action, a page, a workflow or an execution')
      await find.fill('findab')
      await page.getByRole('dialog').locator('[data-selected]').getByText('Findable').waitFor()
      await page.keyboard.press('Enter')
      await card(page, 'sheet').waitFor()
      await page.keyboard.press('?')
      const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await sheet.getByText('Add a node', { exact: true }).first().waitFor()
      await sheet.getByText('Run to the selected node').waitFor()
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'detached' })
      const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
      assert.equal(await scheme(), 'light')
      await page.keyboard.press('Control+k')
      await find.fill('switch to dark')
      await page.getByRole('dialog').locator('[data-selected]').getByText('Switch to dark').waitFor()
      await page.keyboard.press('Enter')
      await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
      await page.reload()
      await card(page, 'sheet').waitFor()
      assert.equal(await scheme(), 'dark')
      await page.getByRole('button', { name: 'Switch to light' }).click()
      await page.locator('html[data-mantine-color-scheme=light]').waitFor()
    })
  })
})

/** The secret text of a new key, from its dialog, which is then closed. */
async function displayedKey(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const key = await dialog.getByRole('textbox').inputValue()
  assert.match(key, /^tt_live_/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return key
}

async function dropSamples(page: Page, names: string[]): Promise<void> {
  const files = await Promise.all(
    names.map(async (name) => ({ name, type: 'image/png', bytes: await readFile(new URL(name, samples)) })),
  )
  await dropFiles(page, files)
}
