/** The size of the scripts of a cold start, with the compression of the service. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { bytesOf, collectScripts, scriptsOf } from '../../bench/console/scripts.ts'
import { consoleTests } from './harness/console.ts'
import { card, field, newDraft } from './harness/editor.ts'

consoleTests('the scripts of a cold start', (of) => {
  const scriptsAt = async (page: Page) => bytesOf(await scriptsOf(page, page.url()))

  test('the sign-in page has at most 155 kB', async () => {
    await of().visit(
      '/',
      async ({ page }) => {
        const { br, files } = await scriptsAt(page)
        assert.ok(files > 1 && br <= 155_000, `${files} files, ${br} bytes`)
      },
      { key: null },
    )
  })

  // Of a draft without positions: 15 kB arrange it.
  test('the editor has at most 300 kB in 18 files, and the stage at most 30 kB', async () => {
    const { api, visit } = of()
    const id = await newDraft(api, {
      name: 'Sheet',
      nodes: { sheet: { type: 'canvas', params: { width: 40, height: 30 } } },
      output: { node: 'sheet', format: 'png' },
    })
    await visit(`/workflows/${id}`, async ({ page }) => {
      const { br, files } = await scriptsAt(page)
      assert.ok(files > 1 && files <= 18 && br <= 300_000, `${files} files, ${br} bytes`)
      // With its inspector, which has the fields and menus that the stage also needs.
      await card(page, 'sheet').click()
      await field(page, 'nodes.sheet.params.width').waitFor()
      await page.waitForLoadState('networkidle')
      const urls = collectScripts(page)
      await page.keyboard.press('Enter')
      await page.locator('[data-stage]').waitFor()
      await page.waitForLoadState('networkidle')
      const stage = await bytesOf([...urls])
      assert.ok(stage.files > 0 && stage.br <= 30_000, `${stage.files} files, ${stage.br} bytes`)
    })
  })
})
