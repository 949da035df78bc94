/** Long enough for a dialog that closes to give the focus back, and for what was deleted to be gone from the page. */
const settledMs = 100

/**
 * After another page was drawn: whoever came by keys goes on from its beginning, not from the menu, or from nowhere, when
 * what had the focus went with the page before. An address that was loaded leaves it to the browser.
 */
export function focusOnPage({ from, to }: { from: string | undefined; to: string }): void {
  if (from === undefined) return
  const isInMenu = pageOf(from) !== pageOf(to) && document.activeElement?.closest('nav') != null
  if (isInMenu) focusMain()
  else keepFocus()
}

/** Where what had the focus is gone, or goes now: Tab continues from the beginning of the page. */
export function keepFocus(): void {
  setTimeout(() => {
    const { activeElement, body } = document
    if (activeElement === null || activeElement === body) focusMain()
  }, settledMs)
}

function focusMain(): void {
  document.getElementById('main')?.focus({ preventScroll: true })
}

/** The tabs of a workflow are on one page, and keep the focus. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}
