/**
 * After another page was drawn: whoever came by keys goes on from its beginning, not from the menu, or from nowhere, when
 * what had the focus went with the page before. An address that was loaded leaves it to the browser.
 */
export function focusOnPage({ from, to }: { from: string | undefined; to: string }): void {
  if (from === undefined) return
  const { activeElement } = document
  const isGone = activeElement === null || activeElement === document.body
  const isInMenu = pageOf(from) !== pageOf(to) && activeElement?.closest('nav') != null
  if (isGone || isInMenu) document.getElementById('main')?.focus({ preventScroll: true })
}

/** The tabs of a workflow are on one page, and keep the focus. */
function pageOf(path: string): string {
  return path.split('/').slice(0, 3).join('/')
}
