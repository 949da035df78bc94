/** Runs after the browser has rendered the last change. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work))
}
