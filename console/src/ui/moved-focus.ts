/** For work that moves the focus some frames later: someone who began to type in a field in the meantime keeps it. */
export function hasMovedToField(before: Element | null): boolean {
  const { activeElement } = document
  return activeElement !== before && activeElement?.matches('input, textarea, [contenteditable]') === true
}
