/** Editing a text on its picture: caret, selection, input methods, undo, and the text that can't be edited there. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { Client } from '../harness/client.ts'
import { until } from '../harness/wait.ts'
import { seriousViolations } from './harness/axe.ts'
import { consoleTests } from './harness/console.ts'
import { card, type DraftDocument, draftWith, inspector, newDraft, select, waitUntilStill } from './harness/editor.ts'

type Params = Record<string, unknown>

const poster = (params: Params, more: Partial<DraftDocument> = {}): DraftDocument => ({
  name: 'Poster',
  nodes: {
    sheet: { type: 'canvas', params: { width: 600, height: 300, color: 'white' } },
    title: {
      type: 'text',
      inputs: { image: 'sheet' },
      params: { size: 40, box: { x: 40, y: 40, width: 500, height: 200 }, ...params },
    },
  },
  output: { node: 'title', format: 'png' },
  ...more,
})

consoleTests('text in place', (of) => {
  /** Opens the stage of the title and edits its text, with Enter. */
  const edit = async (
    params: Params,
    work: (opened: { page: Page; api: Client; workflowId: string; area: Locator }) => Promise<void>,
    { colorScheme = 'light' as 'light' | 'dark', more = {} as Partial<DraftDocument>, opens = true } = {},
  ) => {
    const { api, visit } = of()
    const workflowId = await newDraft(api, poster(params, more))
    await visit(
      `/workflows/${workflowId}`,
      async ({ page }) => {
        await card(page, 'title').waitFor()
        await select(page, 'title')
        await waitUntilStill(page)
        await page.keyboard.press('Enter')
        await page.locator('[data-stage][data-settled]').waitFor()
        await page.locator('[data-frame=box] [data-grip=move]').focus()
        const area = page.getByRole('textbox', { name: 'Text of title' })
        if (opens) {
          await page.keyboard.press('Enter')
          await area.waitFor({ state: 'attached' })
        }
        await work({ page, api, workflowId, area })
      },
      { colorScheme },
    )
  }

  test('typing changes the document and the picture, undo is the one of the field, and Escape ends it', async () => {
    await edit({ text: 'Stage' }, async ({ page, api, workflowId, area }) => {
      const text = textOf(api, workflowId)
      // Enter selects all of it.
      await page.locator('[data-selection]').first().waitFor()
      await photograph(page, 'selected')
      const before = await pictureOf(page)
      await page.keyboard.type('Launch 0 day')
      assert.equal(await area.inputValue(), 'Launch 0 day')
      await text('Launch 0 day')
      await until('another picture', async () => (await pictureOf(page)) !== before || undefined)
      await caretIsDrawn(page, area)
      await photograph(page, 'typed')
      await page.keyboard.press('Control+z')
      assert.notEqual(await area.inputValue(), 'Launch 0 day')
      await page.keyboard.press('Control+y')
      assert.equal(await area.inputValue(), 'Launch 0 day')
      await page.keyboard.press('Control+a')
      assert.deepEqual(await selectionOf(area), [0, 12])
      await page.keyboard.press('Escape')
      await area.waitFor({ state: 'detached' })
      await page.locator('[data-stage]').waitFor()
      // Typing, undo and redo are one step of the document, or three with a pause between them.
      for (let steps = 0; steps < 3; steps++) await page.keyboard.press('Control+z')
      await text('Stage')
    })
  })

  test('a click puts the caret between two letters of the picture, a drag selects, and a double click takes a word', async () => {
    await edit({ text: 'IIIII IIII', letterSpacing: 0.6, weight: 700 }, async ({ page, area }) => {
      const inked = await inkedColumns(page)
      const gaps = gapsOf(inked)
      // After the second letter, and after the seventh, behind the space.
      for (const [gap, offset] of [
        [1, 2],
        [3, 4],
        [5, 7],
      ] as const) {
        const { left, right, y } = gaps[gap] as { left: number; right: number; y: number }
        await page.mouse.click((left + right) / 2, y)
        assert.deepEqual(await selectionOf(area), [offset, offset])
        const caret = await page.locator('[data-caret] rect').last().boundingBox()
        const x = (caret?.x ?? 0) + 1
        assert.ok(x >= left - 1 && x <= right + 1, `${x} is between ${left} and ${right}`)
      }
      const [first, fourth] = [gaps[0], gaps[3]] as { left: number; right: number; y: number }[]
      await page.mouse.move(((first?.left ?? 0) + (first?.right ?? 0)) / 2, first?.y ?? 0)
      await page.mouse.down()
      await page.mouse.move(((fourth?.left ?? 0) + (fourth?.right ?? 0)) / 2, first?.y ?? 0, { steps: 4 })
      await page.mouse.up()
      assert.deepEqual(await selectionOf(area), [1, 4])
      await page.mouse.dblclick(((first?.left ?? 0) + (first?.right ?? 0)) / 2, first?.y ?? 0)
      assert.deepEqual(await selectionOf(area), [0, 5])
    })
  })

  test('a double click on the picture starts at the letter, and keys go by the drawn lines', async () => {
    await edit(
      { text: 'one two three four five six seven eight nine ten', size: 60 },
      async ({ page, area }) => {
        const body = await page.locator('[data-frame=box] [data-grip=move]').boundingBox()
        assert.ok(body)
        await page.mouse.dblclick(body.x + 2, body.y + 20)
        await area.waitFor({ state: 'attached' })
        await page.locator('[data-caret]').waitFor()
        assert.deepEqual(await selectionOf(area), [0, 0])
        const lines: (string | null)[] = []
        const line = () => page.locator('[data-caret]').getAttribute('data-line')
        for (const key of ['End', 'ArrowDown', 'Home', 'End', 'ArrowUp']) {
          await page.keyboard.press(key)
          lines.push(`${key} ${await line()}`)
        }
        assert.deepEqual(lines, ['End 0', 'ArrowDown 1', 'Home 1', 'End 1', 'ArrowUp 0'])
        await page.keyboard.press('Home')
        await page.keyboard.press('Shift+ArrowDown')
        const [from = 0, to = 0] = await selectionOf(area)
        assert.ok(from === 0 && to > 5)
        await photograph(page, 'lines')
      },
      { opens: false },
    )
  })

  test('Arabic is written to the left and Japanese in lines, each with a caret at its end', async () => {
    await edit({ text: 'مرحبا', direction: 'auto', align: 'right' }, async ({ page, api, workflowId, area }) => {
      await page.keyboard.press('ArrowLeft')
      await page.keyboard.press('End')
      const x = async () => (await page.locator('[data-caret] rect').last().boundingBox())?.x ?? 0
      await caretIsDrawn(page, area)
      const before = await x()
      await page.keyboard.insertText(' بالعالم')
      await textOf(api, workflowId)('مرحبا بالعالم')
      await caretIsDrawn(page, area)
      assert.ok((await x()) < before - 20)
      await photograph(page, 'arabic')
    })
    await edit({ text: '吾輩は猫である。', size: 60 }, async ({ page, area }) => {
      await page.keyboard.press('End')
      await page.keyboard.insertText('名前はまだ無い。')
      await until(
        'a second line',
        async () => (await page.locator('[data-caret]').getAttribute('data-line')) === '1' || undefined,
      )
      await caretIsDrawn(page, area)
      await photograph(page, 'japanese')
    })
  })

  test('an input method composes on the picture, underlined', async () => {
    await edit({ text: '' }, async ({ page, api, workflowId, area }) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
      await page.locator('[data-composition]').first().waitFor({ state: 'attached' })
      await textOf(api, workflowId)('にほ')
      await session.send('Input.imeSetComposition', { text: 'にほんご', selectionStart: 4, selectionEnd: 4 })
      await caretIsDrawn(page, area)
      await photograph(page, 'composing')
      await session.send('Input.insertText', { text: '日本語' })
      await textOf(api, workflowId)('日本語')
      assert.equal(await page.locator('[data-composition]').count(), 0)
      assert.equal(await area.inputValue(), '日本語')
    })
  })

  test('a text that shrinks while one types has a smaller caret', async () => {
    const box = { x: 40, y: 40, width: 240, height: 60 }
    await edit({ text: 'Hi', box, align: 'center' }, async ({ page, area }) => {
      await page.keyboard.press('End')
      await caretIsDrawn(page, area)
      const height = async () => (await page.locator('[data-caret] rect').last().boundingBox())?.height ?? 0
      const before = await height()
      await page.keyboard.type(' there, this is long')
      await until('a smaller caret', async () => (await height()) < before * 0.7 || undefined)
      await caretIsDrawn(page, area)
      await photograph(page, 'shrunk')
    })
  })

  for (const colorScheme of ['light', 'dark'] as const)
    test(`the text of a parameter is edited in the run form, without serious findings: ${colorScheme}`, async () => {
      const more = { parameters: [{ name: 'headline', type: 'string', default: 'Launch day' }] }
      await edit(
        { text: '{{ headline }}' },
        async ({ page, area }) => {
          assert.equal(await area.inputValue(), 'Launch day')
          const before = await pictureOf(page)
          await page.keyboard.type('Tomorrow')
          await until('another picture', async () => (await pictureOf(page)) !== before || undefined)
          await page.locator('[data-parameter]').getByText('headline').waitFor()
          await caretIsDrawn(page, area)
          await photograph(page, `parameter-${colorScheme}`)
          assert.deepEqual(await seriousViolations(page), [])
          await page.keyboard.press('Escape')
          await page.keyboard.press('Enter')
          assert.equal(await area.inputValue(), 'Tomorrow')
        },
        { colorScheme, more },
      )
    })

  test('other templates and markup say why, and lead to their field', async () => {
    const more = { parameters: [{ name: 'headline', type: 'string', default: 'Launch day' }] }
    for (const [params, reason] of [
      [{ text: '{{ headline | upcase }}' }, 'The text is made by a template with headline.'],
      [{ text: '<b>Bold</b>', markup: true }, 'The text has markup.'],
    ] as const)
      await edit(
        params,
        async ({ page }) => {
          await page.keyboard.press('Enter')
          const hint = page.getByRole('alert').filter({ hasText: reason })
          await hint.waitFor()
          await photograph(page, reason)
          assert.deepEqual(await seriousViolations(page), [])
          await page.keyboard.press('Escape')
          await hint.waitFor({ state: 'detached' })
          await page.locator('[data-frame=box] [data-grip=move]').focus()
          await page.keyboard.press('Enter')
          await hint.getByRole('button', { name: 'Edit Text in the inspector' }).click()
          await hint.waitFor({ state: 'detached' })
          await page.waitForFunction(`document.activeElement.closest('[data-path="nodes.title.params.text"]') !== null`)
          assert.equal(await inspector(page).count(), 1)
        },
        { more, opens: false },
      )
  })
})

function textOf(api: Client, workflowId: string) {
  return (expected: string) =>
    draftWith(api, workflowId, `the text ${expected}`, ({ nodes }) => nodes.title?.params?.text === expected)
}

function pictureOf(page: Page): Promise<string | null> {
  return page.locator('[data-stage] img[alt^="Result of"]').getAttribute('src')
}

/** Waits until the service has drawn the value, and the caret is where it says. */
async function caretIsDrawn(page: Page, area: Locator): Promise<void> {
  const value = await area.inputValue()
  await page.locator(`[data-text-editor][data-drawn=${JSON.stringify(value)}]`).waitFor({ state: 'attached' })
}

async function selectionOf(area: Locator): Promise<[number, number]> {
  return area.evaluate((element): [number, number] => {
    const { selectionStart, selectionEnd } = element as unknown as { selectionStart: number; selectionEnd: number }
    return [selectionStart, selectionEnd]
  })
}

/** The dark columns of the window in the first line of the text, without the outline of its frame. */
async function inkedColumns(page: Page): Promise<{ columns: boolean[]; y: number }> {
  await page.keyboard.press('End')
  const bounds = await page.locator('[data-stage] img[alt^="Result of"]').boundingBox()
  assert.ok(bounds)
  const { data, info } = await sharp(await page.screenshot())
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const scale = bounds.width / 600
  const y = Math.round(bounds.y + 64 * scale)
  const end = bounds.x + 530 * scale
  const columns = Array.from(
    { length: info.width },
    (_, x) => x > bounds.x + 42 * scale && x < end && (data[(y * info.width + x) * info.channels] ?? 255) < 110,
  )
  return { columns, y }
}

/** The gaps between letters, from the left. */
function gapsOf({ columns, y }: { columns: boolean[]; y: number }): { left: number; right: number; y: number }[] {
  const letters: [number, number][] = []
  for (const [x, isInk] of columns.entries()) {
    const last = letters.at(-1)
    if (!isInk) continue
    if (last !== undefined && last[1] === x) last[1] = x + 1
    else letters.push([x, x + 1])
  }
  return letters.slice(1).map(([right], i) => ({ left: letters[i]?.[1] ?? 0, right, y }))
}

async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.STAGE_SCREENSHOTS
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/text-${name.replaceAll(/\W+/g, '-')}.png` })
}
