/** Long enough for a closing dialog to restore the focus, and for deleted elements to be removed. */
const settledMs = 100
const mainId = 'main'

/**
 * Sets the focus after navigation to the start of the page if it was in the menu, or on an element of the previous
 * page. The browser handles the first page.
 */
export function focusOnPage({ from, to }: { from: string | undefined; to: string }): void {
  if (from === undefined) return
  const isInMenu = pageOf(from) !== pageOf(to) && document.activeElement?.closest('nav') != null
  if (isInMenu) focusOn(mainId)
  else keepFocus()
}

/** Moves the focus if the focused element is removed. Default: to the page, so that Tab continues at its start. */
export function keepFocus(at = mainId): void {
  setTimeout(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) focusOn(at)
  }, settledMs)
}

function focusOn(id: string): void {
  document.getElementById(id)?.focus({ preventScroll: true })
}

/** The tabs of a workflow count as one page, and keep the focus. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}
