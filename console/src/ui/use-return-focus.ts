import { useEffect, useState } from 'react'

/** Returns the focus when a dialog unmounts. */
export function useReturnFocus(): void {
  // Read during rendering, before the dialog takes the focus.
  const [before] = useState(() => opener(document.activeElement))
  useEffect(
    () => () => {
      // After the dialog has released the focus, and only if no other element took it.
      setTimeout(() => {
        const { activeElement } = document
        const isLost = activeElement === null || activeElement === document.body
        if (!isLost) return
        // If the element was deleted, Tab continues at the start of the page.
        const target = before?.isConnected && before !== document.body ? before : document.getElementById('main')
        if (target instanceof HTMLElement) target.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** The element to focus; for a menu item, which disappears, the button that opened the menu. */
function opener(element: Element | null): Element | null {
  const button = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return button == null ? element : document.getElementById(button)
}
