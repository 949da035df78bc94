/**
 * Keys that are pressed after a menu was opened and before it has the focus. Mantine renders a menu up to two frames after
 * the key that opens it and focuses it by a timer after that. Without this, keys of that time go to the button, where
 * Enter closes the menu again, or to the page. Here they wait, and reach the menu in their order.
 */
export function forwardEarlyMenuKeys(): void {
  const early: string[] = []
  const ready = new WeakSet<Element>()

  const hold = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || key === 'Tab' || key === 'Shift') return
    const button = document.querySelector('[aria-haspopup=menu][aria-expanded=true]')
    if (button === null) return
    // Once the menu had the focus, keys go where the focus is, also if it left the menu since.
    const menu = document.getElementById(button.getAttribute('aria-controls') ?? '') ?? menuOf(document.activeElement)
    if (menu && ready.has(menu)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!event.repeat) early.push(key)
  }

  const release = ({ target }: FocusEvent) => {
    const menu = menuOf(target)
    if (menu === undefined) early.length = 0
    if (menu === undefined || ready.has(menu)) return
    // The focus trap sets the focus twice, by two timers. This one runs after both.
    setTimeout(() => {
      ready.add(menu)
      for (const key of early.splice(0)) press(key)
    })
  }

  document.addEventListener('keydown', hold, { capture: true })
  document.addEventListener('focusin', release)
}

function menuOf(target: EventTarget | null): Element | undefined {
  return (target instanceof Element && target.closest('[role=menu]')) || undefined
}

/** Presses a key on the focused element. A scripted key event has no default action, so Enter and Space click. */
function press(key: string): void {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement)) return
  if (key === 'Enter' || key === ' ') activeElement.click()
  else activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}
