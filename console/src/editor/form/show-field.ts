import type { RefObject } from 'react'
import { pathAndParents } from '../document/path.ts'

const takesText = 'input:not([type=hidden]):not([type=radio]), textarea, select'
/** By what is best: what is chosen, else what could be; what helps with it only where there is nothing else. */
const takesFocus = ['input:checked, [role=slider]', 'input[type=radio]', 'button:not([aria-label^="About "])', 'button']
const triesMax = 20

/**
 * Scrolls to the field of a path, or to what holds it, and focuses it; tries for some frames, since what hides it is
 * unfolded at the same time. Returns how to give up.
 */
export function showField(panel: RefObject<HTMLElement | null>, path: string): () => void {
  let frame = 0
  const attempt = (triesLeft: number) => {
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

/** The same at once, where the field is there already: what is typed next is meant for it. */
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
