import { useEffect, useState } from 'react'

/** For dialogs that are only there while they are open: where the focus was when they came, it is again when they are gone. */
export function useReturnFocus(): void {
  // Asked for while it is drawn, before the dialog takes the focus.
  const [before] = useState(() => opener(document.activeElement))
  useEffect(
    () => () => {
      // After the dialog has let go of it, and only where nothing else has taken it.
      setTimeout(() => {
        const { activeElement } = document
        const isLost = activeElement === null || activeElement === document.body
        if (!isLost) return
        // What was deleted is gone by now: then Tab goes on from the beginning of the page.
        const place = before?.isConnected && before !== document.body ? before : document.getElementById('main')
        if (place instanceof HTMLElement) place.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** Of a menu, whose items are gone by then: the button that opened it. */
function opener(element: Element | null): Element | null {
  const button = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return button == null ? element : document.getElementById(button)
}
