/** Once what has just been changed is on the page. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work))
}
