/** The system setting that asks pages not to move things. The style sheet (style.css) does the same for what CSS moves. */
export function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

/** The duration of a movement by script, in milliseconds: 0 if the person asked for less motion. */
export function motionMs(duration: number): number {
  return prefersReducedMotion() ? 0 : duration
}
