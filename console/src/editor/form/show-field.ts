import type { RefObject } from 'react'
import { hasMovedToField } from '../../ui/moved-focus.ts'
import { pathAndParents } from '../document/path.ts'

const takesText = 'input:not([type=hidden]):not([type=radio]), textarea, select'
/** Elements in order of preference. Help buttons come last. */
const takesFocus = ['input:checked, [role=slider]', 'input[type=radio]', 'button:not([aria-label^="About "])', 'button']
/** A form can be loading: a second. */
const triesMax = 60

/**
 * Scrolls to the field of a path, or to the nearest parent, and focuses it. Retries for some frames, because a folded
 * part can be opening. A field that gets the focus since `before` had it keeps it. Returns a function that cancels.
 */
export function showField(
  panel: RefObject<HTMLElement | null>,
  path: string,
  before: Element | null = document.activeElement,
): () => void {
  let frame = 0
  const attempt = (triesLeft: number) => {
    if (hasMovedToField(before)) return
    const found = panel.current === null ? undefined : fieldOf(panel.current, path)
    if (found?.isExact !== true && triesLeft > 0) {
      frame = requestAnimationFrame(() => attempt(triesLeft - 1))
      return
    }
    if (found !== undefined) focusField(found.field)
  }
  frame = requestAnimationFrame(() => attempt(triesMax))
  return () => cancelAnimationFrame(frame)
}

/** Focuses the field immediately if it exists, so that the next typed key goes to it. */
export function showFieldNow(panel: HTMLElement | null, path: string): void {
  const found = panel === null ? undefined : fieldOf(panel, path)
  if (found?.isExact) focusField(found.field)
}

function focusField(field: HTMLElement): void {
  field.scrollIntoView({ block: 'center' })
  for (const kind of [takesText, ...takesFocus]) {
    const target = field.querySelector<HTMLElement>(kind)
    if (target === null) continue
    target.focus({ preventScroll: true })
    return
  }
}

function fieldOf(panel: HTMLElement, path: string): { field: HTMLElement; isExact: boolean } | undefined {
  for (const at of pathAndParents(path)) {
    const field = panel.querySelector<HTMLElement>(`[data-path="${CSS.escape(at)}"]`)
    if (field !== null) return { field, isExact: at === path }
  }
  return undefined
}
