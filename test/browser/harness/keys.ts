/** Keyboard use only: no pointer and no scripted focus. */
import type { Locator, Page } from 'playwright-core'
import { until } from '../../harness/wait.ts'

const stepsMax = 150

/** Presses Tab until the element has the focus, or Shift+Tab if it is earlier on the page. */
export async function reach(page: Page, target: Locator): Promise<void> {
  await target.first().waitFor({ state: 'attached' })
  await until('the focus in the dialog', async () => !(await isOutside(target)) || undefined)
  const by = (await isBefore(target)) ? 'Shift+Tab' : 'Tab'
  for (let step = 0; step < stepsMax; step++) {
    if (await hasFocus(target)) return
    await page.keyboard.press(by)
  }
  const { tag, text } = await focused(page)
  throw new Error(`${by} never led to ${target}: the focus is on a ${tag}, "${text}".`)
}

/** Whether the element is in a dialog that doesn't have the focus yet: it takes the focus some time after it appears. */
function isOutside(target: Locator): Promise<boolean> {
  return target.first().evaluate((element) => {
    interface Target {
      closest(selector: string): { contains(other: unknown): boolean } | null
      ownerDocument: { activeElement: unknown }
    }
    const { ownerDocument } = element as unknown as Target
    const dialog = (element as unknown as Target).closest('[aria-modal=true]')
    return dialog !== null && !dialog.contains(ownerDocument.activeElement)
  })
}

/** Whether the element is before the focused one. */
function isBefore(target: Locator): Promise<boolean> {
  return target.first().evaluate((element) => {
    interface Target {
      compareDocumentPosition(other: unknown): number
      ownerDocument: { activeElement: Target | null; body: unknown }
    }
    const { activeElement, body } = (element as unknown as Target).ownerDocument
    // 2: DOCUMENT_POSITION_PRECEDING
    return activeElement !== body && ((activeElement?.compareDocumentPosition(element) ?? 0) & 2) !== 0
  })
}

async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.and(target.page().locator(':focus')).count()) > 0
}

async function focused(page: Page): Promise<{ tag: string; text: string }> {
  return (await page.evaluate(
    `({ tag: document.activeElement.tagName, text: document.activeElement.textContent.slice(0, 60) })`,
  )) as { tag: string; text: string }
}

const codes = { Enter: 13, ArrowUp: 38 } as const

/** Presses keys without waiting for the page in between, like a fast user on a slow machine. */
export async function pressQuickly(page: Page, keys: readonly (keyof typeof codes)[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const events = keys.flatMap((key) => {
    const which = { key, code: key, windowsVirtualKeyCode: codes[key], ...(key === 'Enter' && { text: '\r' }) }
    return [
      { ...which, type: 'keyDown' as const },
      { ...which, type: 'keyUp' as const },
    ]
  })
  await Promise.all(events.map((event) => session.send('Input.dispatchKeyEvent', event)))
}

/** Replaces the content of the focused field. */
export async function type(page: Page, text: string | number): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(String(text))
}

/** Chooses an option of an open menu or list with the arrow keys. */
export async function chooseByArrows(page: Page, option: Locator): Promise<void> {
  await option.first().waitFor()
  for (let step = 0; step < stepsMax; step++) {
    const isThere = await option.first().evaluate((element) => {
      const { dataset, ownerDocument } = element as unknown as {
        dataset: Record<string, string>
        ownerDocument: { activeElement: unknown }
      }
      return 'comboboxSelected' in dataset || 'selected' in dataset || ownerDocument.activeElement === element
    })
    if (isThere) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The arrows never led to ${option}.`)
}
