/** Once what has just been changed is on the page. */
export function whenDrawn(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(work))
}
