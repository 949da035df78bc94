/** Ten days, because no gesture takes longer. */
const lastingMs = 864_000_000

export interface CompositorTransform {
  carry(element: Element, transform: string): void
  /** Removes the transform. */
  reset(): void
}

/**
 * Moves an element with an animation that has only one position. The compositor applies animations by itself, but
 * Chromium repaints everything after a change of the style (12 ms with 200 cards). Reset it when the element stops,
 * because an animation wakes the compositor for each frame.
 */
export function createCompositorTransform(): CompositorTransform {
  let animation: Animation | undefined
  return {
    carry(element, transform) {
      const still = [{ transform }, { transform }]
      if (animation?.effect instanceof KeyframeEffect) animation.effect.setKeyframes(still)
      else animation = element.animate(still, { duration: lastingMs })
    },
    reset() {
      animation?.cancel()
      animation = undefined
    },
  }
}
