/** Ten days: no gesture lasts as long. */
const lastingMs = 864_000_000

export interface CompositorTransform {
  carry(element: Element, transform: string): void
  /** Gives what was carried back to its style. */
  reset(): void
}

/**
 * Carries an element to where the transform says, by an animation that stands still there. What an animation changes is
 * moved by the compositor alone; a change of the style has Chromium go through everything that is painted, for each frame
 * (12 ms with 200 cards). It is put down when it stands, for an animation wakes the compositor at every frame.
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
