/** Ten days: no gesture lasts as long. */
const lastingMs = 864_000_000

/**
 * Carries an element to where the transform says, by an animation that stands still there. What an animation changes is
 * moved by the compositor alone; a change of the style has Chromium go through everything that is painted, for each frame
 * (12 ms with 200 cards). Cancelling the animation gives the element back to its style.
 */
export function carry(element: Element, transform: string, before: Animation | undefined): Animation {
  const still = [{ transform }, { transform }]
  if (before?.effect instanceof KeyframeEffect && before.playState === 'running') {
    before.effect.setKeyframes(still)
    return before
  }
  return element.animate(still, { duration: lastingMs })
}
