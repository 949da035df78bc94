/** Long enough for a closing dialog to restore the focus, and for deleted elements to be removed. */
const settledMs = 100

/**
 * Sets the focus after navigation to the start of the page if it was in the menu, or on an element of the previous
 * page. The browser handles the first page.
 */
export function focusOnPage({ from, to }: { from: string | undefined; to: string }): void {
  if (from === undefined) return
  const isInMenu = pageOf(from) !== pageOf(to) && document.activeElement?.closest('nav') != null
  if (isInMenu) focusMain()
  else keepFocus()
}

/** Moves the focus to the page if the focused element is removed: Tab then continues at its start. */
export function keepFocus(): void {
  setTimeout(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) focusMain()
  }, settledMs)
}

function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** The tabs of a workflow count as one page, and keep the focus. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}
