/** Keyboard use: the focus is never lost and moves to the next useful element. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { save } from '../harness/workflows.ts'
import { consoleTests } from './harness/console.ts'
import { card, draftWith, field, focusCanvas, inspector, newDraft } from './harness/editor.ts'
import { pressQuickly, reach } from './harness/keys.ts'
import { waitUntilSettled } from './harness/settled.ts'

const nodes = {
  sheet: { type: 'canvas', params: { width: 60, height: 40, color: '{{ colour }}' } },
  round: { type: 'composite', inputs: { image: 'sheet', overlay: 'sheet' } },
}
const document = {
  name: 'By keys',
  parameters: [{ name: 'colour', type: 'string', required: true }],
  nodes,
  output: { node: 'round', format: 'png' },
}

consoleTests('the focus', (of) => {
  test('after sign-in and after navigation, it is at the start of the page', async () => {
    const { key, visit } = of()
    await visit(
      '/sign-in',
      async ({ page }) => {
        await page.getByLabel('API key').fill(key)
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Workflows', level: 1 }).waitFor()
        await waitForFocus(page.locator('#main'))
        await reach(page, page.getByRole('link', { name: 'Storage', exact: true }))
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { name: 'Storage', level: 1 }).waitFor()
        await waitForFocus(page.locator('#main'))
        await page.locator('[aria-live]').getByText('Storage · Tintype').waitFor()
      },
      { key: null },
    )
  })

  test('in the editor it is on a card, on the canvas or in the requested field, and Escape moves it back', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { keyboard } = page
      await card(page, 'round').waitFor()
      await page.getByRole('textbox', { name: 'Name of the workflow' }).focus()
      await keyboard.press('Enter')
      await waitForFocus(page.locator('#main'))
      await keyboard.press('ArrowRight')
      await waitForFocus(card(page, 'sheet'))
      await keyboard.press('a')
      await waitForFocus(page.getByRole('combobox', { name: 'Add a node' }))
      await keyboard.press('Escape')
      await waitForFocus(card(page, 'sheet'))
      await keyboard.press('Control+d')
      await waitForFocus(card(page, 'sheet-2'))
      await keyboard.press('Control+z')
      await waitForFocus(card(page, 'sheet'))
      await keyboard.press('Alt+ArrowRight')
      await waitForFocus(card(page, 'round'))
      await keyboard.press('e')
      await waitForFocus(field(page, 'nodes.round.params.position').getByRole('radio').first())
      await keyboard.press('Escape')
      await waitForFocus(card(page, 'round'))

      await keyboard.press('Control+Enter')
      await waitForFocus(field(page, 'parameters.colour').getByRole('textbox'))
      await keyboard.press('Escape')
      await waitForFocus(card(page, 'round'))
      await keyboard.press('Delete')
      await waitForFocus(card(page, 'sheet'))
      await draftWith(api, workflowId, 'one node', ({ nodes }) => Object.keys(nodes).length === 1)
    })
  })

  test('a deletion moves it immediately, and not after the next key', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { keyboard } = page
      await card(page, 'round').waitFor()
      await focusCanvas(page)
      await keyboard.press('ArrowRight')
      await keyboard.press('Alt+ArrowRight')
      await waitForFocus(card(page, 'round'))
      await holdFrames(page)
      await keyboard.press('Delete')
      await waitForFocus(card(page, 'sheet'))
      await focusCanvas(page)
      await continueFrames(page)
      await waitForFocus(page.locator('[data-canvas]'))
    })
  })

  test('keys that are pressed before a new card is drawn are for it, and the canvas keeps the focus after Escape', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { keyboard } = page
      await card(page, 'round').waitFor()
      await focusCanvas(page)
      await keyboard.press('ArrowRight')
      await waitForFocus(card(page, 'sheet'))
      await keyboard.press('a')
      await page.getByRole('combobox', { name: 'Add a node' }).fill('Blur')
      await holdFrames(page)
      await keyboard.press('Enter')
      await keyboard.press('a')
      await page.getByText('Add after blur').waitFor()
      await keyboard.press('Escape')
      await keyboard.press('Escape')
      await continueFrames(page)
      await waitForFocus(page.locator('[data-canvas]'))
      assert.equal(await page.locator('.react-flow__node.selected').count(), 0)
    })
  })

  test('a new wire moves it immediately', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { keyboard } = page
      await card(page, 'round').waitFor()
      await focusCanvas(page)
      await keyboard.press('ArrowRight')
      await keyboard.press('c')
      await page.getByRole('combobox', { name: 'Connect sheet to' }).fill('Output')
      await holdFrames(page)
      await keyboard.press('Enter')
      await waitForFocus(card(page, 'sheet'))
      await focusCanvas(page)
      await continueFrames(page)
      await waitForFocus(page.locator('[data-canvas]'))
      await draftWith(api, workflowId, 'the wire', ({ output }) => output?.node === 'sheet')
    })
  })

  test('a field that gets the focus before the new node is drawn keeps it, and the renamed node stays selected', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'round').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('/')
      const search = page.getByRole('combobox', { name: 'Add a node' })
      await search.fill('QR code')
      await holdFrames(page)
      await search.press('Enter')
      const id = inspector(page).getByRole('textbox', { name: 'Id of the node' })
      await id.fill('code')
      // The field renames the node when it loses the focus.
      await continueFrames(page)
      await waitForFocus(id)
      await id.press('Enter')
      await page.locator('.react-flow__node.selected[data-id="code"]').waitFor()
      assert.equal(await id.inputValue(), 'code')
    })
  })

  test('a field that gets the focus before the next card or the requested field does keeps it', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'round').waitFor()
      await focusCanvas(page)
      await page.keyboard.press('ArrowRight')
      await waitForFocus(card(page, 'sheet'))
      const name = page.getByRole('textbox', { name: 'Name of the workflow' })
      for (const key of ['e', 'Delete']) {
        await card(page, 'sheet').focus()
        await holdFrames(page)
        await page.keyboard.press(key)
        await name.focus()
        await continueFrames(page)
        await waitForFocus(name)
      }
      await card(page, 'sheet').waitFor({ state: 'detached' })
    })
  })

  test('keys before a menu has loaded are for the menu, and the focus returns to its button', async () => {
    const { api, visit } = of()
    const parameters = ['colour', 'width'].map((name) => ({ name, type: 'string', default: 'red' }))
    const workflowId = await newDraft(api, { ...document, parameters })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const button = page.getByRole('button', { name: 'Move or remove colour' })
      await button.waitFor()
      const load = Promise.withResolvers<void>()
      await page.route(/assets\/menu-rows-/, async (route) => {
        await load.promise
        await route.continue()
      })
      await button.focus()
      await page.keyboard.press('Enter')
      // From the first item that is enabled, "Move down", to "Remove" and back.
      for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
      load.resolve()
      await draftWith(api, workflowId, 'the parameter below', ({ parameters: [first] = [] }) => first?.name === 'width')
      // The same button. It is of the first parameter.
      await waitForFocus(page.getByRole('button', { name: 'Move or remove width' }))
    })
  })

  test('Escape closes a menu, a list or a popover of the inspector, and the focus returns to its button', async () => {
    const { api, visit } = of()
    const sheet = { ...nodes.sheet, params: { ...nodes.sheet.params, color: '#e03131' } }
    const workflowId = await newDraft(api, { ...document, nodes: { ...nodes, sheet } })
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      const { keyboard } = page
      await card(page, 'round').waitFor()
      await focusCanvas(page)
      await keyboard.press('ArrowRight')
      await waitForFocus(card(page, 'sheet'))
      const menu = inspector(page).getByRole('button', { name: 'Value or template: Width' })
      await menu.focus()
      await keyboard.press('Enter')
      await waitForFocus(page.getByRole('menuitem', { name: 'A template' }))
      await keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await waitForFocus(menu)
      const swatch = inspector(page).getByRole('button', { name: 'Choose a colour: #e03131' })
      await swatch.focus()
      await keyboard.press('Enter')
      await waitForFocus(page.getByRole('dialog').getByRole('slider').first())
      await keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await waitForFocus(swatch)
      await keyboard.press('Escape')
      await waitForFocus(card(page, 'sheet'))

      await keyboard.press('Alt+ArrowRight')
      await waitForFocus(card(page, 'round'))
      const select = field(page, 'nodes.round.params.blend').getByRole('combobox')
      await select.focus()
      await keyboard.press('Enter')
      await page.getByRole('option').first().waitFor()
      await keyboard.press('Escape')
      await page.getByRole('option').first().waitFor({ state: 'detached' })
      await waitForFocus(select)
      await keyboard.press('Escape')
      await waitForFocus(card(page, 'round'))
    })
  })

  test('a field that gets the focus before the stage has loaded keeps it', async () => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, document)
    await visit(`/workflows/${workflowId}`, async ({ page }) => {
      await card(page, 'round').focus()
      const load = Promise.withResolvers<void>()
      const isRequested = Promise.withResolvers<void>()
      await page.route(/assets\/stage-/, async (route) => {
        isRequested.resolve()
        await load.promise
        await route.continue()
      })
      await page.keyboard.press('Enter')
      await isRequested.promise
      const name = page.getByRole('textbox', { name: 'Name of the workflow' })
      await name.focus()
      load.resolve()
      await page.getByRole('region', { name: 'Stage' }).waitFor()
      await waitForFocus(name)
    })
  })

  test('after a dialog of a menu it is on the menu’s button, and after the deletion on the page', async () => {
    const { api, visit } = of()
    await save(api, { ...document, name: 'Goes' })
    await visit('/workflows', async ({ page }) => {
      const more = page.getByRole('button', { name: 'Actions for Goes' })
      const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true })
      await openMenu(page, more)
      await page.keyboard.press('Escape')
      await waitForFocus(more)
      await openMenu(page, more)
      await reach(page, remove)
      await page.keyboard.press('Enter')
      await more.waitFor({ state: 'detached' })
      await waitForFocus(page.locator('#main'))
    })
  })

  for (const reducedMotion of ['reduce', 'no-preference'] as const)
    test(`keys that are pressed before a menu has the focus reach the menu, with motion: ${reducedMotion}`, async () => {
      const { api, visit } = of()
      const name = `Quick, ${reducedMotion}`
      await save(api, { ...document, name })
      await visit(
        '/workflows',
        async ({ page }) => {
          const more = page.getByRole('button', { name: `Actions for ${name}` })
          await more.focus()
          await pressQuickly(page, ['Enter', 'ArrowUp', 'Enter'])
          await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
        },
        { context: { reducedMotion } },
      )
    })

  test('on a phone, a key’s name, permissions, dates and menu are visible', async () => {
    await of().visit(
      '/keys',
      async ({ page }) => {
        const row = page.getByRole('row').filter({ hasText: 'This session' })
        await row.waitFor()
        await waitUntilSettled(page)
        for (const part of [row.getByText('Full access'), row.getByRole('button', { name: /^Actions for/ })]) {
          const box = await part.boundingBox()
          assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390)
        }
      },
      { width: 390, height: 844 },
    )
  })
})

/** Stops frames: from now on, the page draws, but does nothing in the next frame. */
async function holdFrames(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    const [held, request] = [[], window.requestAnimationFrame]
    window.requestAnimationFrame = (work) => held.push(work)
    window.continueFrames = () => {
      window.requestAnimationFrame = request
      for (const work of held) request(work)
    }
  })()`)
}

/** Waits until the held work and what it requests is done. */
async function continueFrames(page: Page): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    window.continueFrames()
    let frames = 0
    const next = () => (++frames > 4 ? done() : requestAnimationFrame(next))
    next()
  })`)
}

async function openMenu(page: Page, more: Locator): Promise<void> {
  await reach(page, more)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Run' }).waitFor()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
}

/** Waits until the element has the focus. */
async function waitForFocus(target: Locator): Promise<void> {
  await target.and(target.page().locator(':focus')).waitFor({ state: 'attached' })
}
