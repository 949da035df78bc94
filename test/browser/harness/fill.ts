/** Fills a form with its widgets, like a user who knows only the value. */
import type { Locator, Page } from 'playwright-core'
import { until } from '../../harness/wait.ts'
import { field } from './editor.ts'

/** Throws if no widget accepts the value. `path`: the path of the field, such as `nodes.title.params.box`. */
export async function fill(page: Page, path: string, value: unknown): Promise<void> {
  const target = field(page, path)
  await until(`the field ${path}`, async () => {
    if ((await target.count()) > 0) return true
    await unfold(page)
    return undefined
  })
  if (Array.isArray(value)) return fillList(page, path, value)
  if (typeof value === 'object' && value !== null) return fillObject(page, path, value as Record<string, unknown>)
  return fillValue(page, target, path, value)
}

async function unfold(page: Page): Promise<void> {
  const fold = page.getByRole('button', { name: /^Advanced/, expanded: false }).first()
  // It can belong to the previously selected node and be gone.
  if ((await fold.count()) > 0) await fold.click({ timeout: 1000 }).catch(() => undefined)
}

async function fillObject(page: Page, path: string, value: Record<string, unknown>): Promise<void> {
  const target = field(page, path)
  if (await isJson(target)) return target.getByRole('textbox').fill(JSON.stringify(value))
  if (!(await isGroup(target))) await target.getByRole('button', { name: /^Add / }).click()
  // An item of a list can be folded.
  const head = target.locator(':scope > div > button[aria-expanded=false]')
  if ((await head.count()) > 0) await head.click()
  for (const [name, child] of Object.entries(value)) await fill(page, `${path}.${name}`, child)
}

async function fillList(page: Page, path: string, items: unknown[]): Promise<void> {
  const target = field(page, path)
  const first = target.getByRole('button', { name: /^(Add|Change) / })
  if (!(await isGroup(target)) && (await first.count()) > 0) await first.first().click()
  if ((await target.locator('svg[role=group]').count()) > 0) return fillPoints(target, items)
  // Numbers, and values that need the JSON widget.
  if (!(await isGroup(target))) {
    const isNumbers = items.every((item) => typeof item === 'number')
    return target.getByRole('textbox').fill(isNumbers ? items.join(', ') : JSON.stringify(items))
  }
  const change = target.getByRole('button', { name: /^Change / })
  if ((await change.count()) > 0) await change.click()
  const rows = () => field(page, path).locator(`[data-path^="${path}."]`)
  for (const [index, item] of items.entries()) {
    const row = field(page, `${path}.${index}`)
    // Lists in the items have the same button, before that of this list.
    if ((await row.count()) === 0)
      await target
        .getByRole('button', { name: /^Add to / })
        .last()
        .click()
    await fill(page, `${path}.${index}`, item)
  }
  while ((await field(page, `${path}.${items.length}`).count()) > 0)
    await target.getByRole('button', { name: new RegExp(`^Remove: .* ${items.length + 1}$`) }).click()
  if ((await rows().count()) === 0) throw new Error(`The list ${path} takes no items.`)
}

/** The points of a curve as numbers. */
async function fillPoints(target: Locator, points: unknown[]): Promise<void> {
  const begin = target.getByRole('button', { name: 'Start with a straight line' })
  if ((await begin.count()) > 0) await begin.click()
  const ins = target.getByRole('textbox', { name: /^Point \d+, in$/ })
  while ((await ins.count()) > points.length) await target.getByRole('button', { name: 'Remove point 2' }).click()
  for (let count = await ins.count(); count < points.length; count++)
    await target.getByRole('button', { name: 'Add a point' }).click()
  for (const [index, point] of points.entries()) {
    const [from, to] = point as [number, number]
    await target.getByRole('textbox', { name: `Point ${index + 1}, in` }).fill(String(from))
    await target.getByRole('textbox', { name: `Point ${index + 1}, out` }).fill(String(to))
  }
}

async function fillValue(page: Page, target: Locator, path: string, value: unknown): Promise<void> {
  const text = String(value)
  const options = target.getByRole('radio', { name: text, exact: true })
  const list = target.locator('input[aria-haspopup=listbox]')
  const entry = target.locator('textarea, input:not([type=hidden]):not([type=radio]):not([type=checkbox])')
  if (typeof value === 'boolean') return setSwitch(target, path, value)
  if ((await options.count()) > 0) {
    // A default is already selected.
    if (await options.first().isChecked()) return
    await options.first().focus()
    return page.keyboard.press('Space')
  }
  const byUrl = target.getByRole('button', { name: 'By URL' })
  if ((await entry.count()) === 0 && (await byUrl.count()) > 0) await byUrl.click()
  const box = entry.first()
  if ((await entry.count()) === 0) throw new Error(`No widget of ${path} takes ${JSON.stringify(value)}.`)
  const isList = (await list.count()) > 0 && (await list.first().getAttribute('aria-autocomplete')) !== 'both'
  if (!isList) return box.fill(text)
  await openList(list.first())
  const isSearch = await list.first().isEditable()
  if (isSearch) await list.first().fill(text)
  const all = page.getByRole('option')
  const [exact, found] = [page.getByRole('option', { name: text, exact: true }), all.filter({ hasText: text })]
  const option = await until(`an option of ${path} for ${text}`, async () => {
    for (const kind of [exact, found]) if ((await kind.count()) > 0) return kind.first()
    // Models are found by their ids and have other names.
    return isSearch && (await all.count()) === 1 ? all.first() : undefined
  })
  await option.click()
}

/** Clicks again if the field moved under the mouse, because the value of a template appeared above it: that isn't a click. */
async function openList(list: Locator): Promise<void> {
  await until('the list to open', async () => {
    if ((await list.getAttribute('aria-expanded')) === 'true') return true
    await list.click()
    return undefined
  })
}

async function setSwitch(target: Locator, path: string, value: boolean): Promise<void> {
  const toggle = target.getByRole('switch')
  if ((await toggle.count()) === 0) throw new Error(`No widget of ${path} takes ${value}.`)
  if ((await toggle.isChecked()) === value) return
  await toggle.focus()
  await toggle.press('Space')
}

function isGroup(target: Locator): Promise<boolean> {
  return target.evaluate((element) => (element as unknown as { tagName: string }).tagName === 'FIELDSET')
}

async function isJson(target: Locator): Promise<boolean> {
  return !(await isGroup(target)) && (await target.locator('textarea').count()) > 0
}
