/** Keys that are typed before a search field has the focus. Otherwise they would be shortcuts of the page. */
let held = ''

export function holdKeys(): void {
  document.addEventListener('keydown', hold, { capture: true })
}

/** Returns the typed text once, and ends `holdKeys`. */
export function takeHeldKeys(): string {
  document.removeEventListener('keydown', hold, { capture: true })
  const text = held
  held = ''
  return text
}

function hold(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  event.stopImmediatePropagation()
  if (event.key === 'Backspace') held = held.slice(0, -1)
  else if (event.key.length === 1) held += event.key
}
