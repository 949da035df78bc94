/**
 * Whether the focus has moved: work that moves the focus some frames later must not take it from someone who began to
 * type in the meantime.
 */
export function hasMovedToField(before: Element | null): boolean {
  const { activeElement } = document
  return activeElement !== before && activeElement?.matches('input, textarea, [contenteditable]') === true
}
