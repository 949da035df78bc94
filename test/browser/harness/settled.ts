/** Waiting for a page that is complete and doesn't move: before its colours, places or pixels are measured. */
import type { Locator, Page } from 'playwright-core'
import { until } from '../../harness/wait.ts'

/**
 * Waits until fonts and images are loaded and nothing moves. The console is visited with reduced motion, so no animation
 * lasts: the list of running ones has to become empty, without exceptions. Two frames pass first, because a change of the
 * page starts its transitions only with the next frame.
 */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.evaluate(
    `Promise.all([document.fonts.ready, ...Array.from(document.images)
      // Lazy images outside of the window are not loaded.
      .filter((image) => image.loading !== 'lazy' || image.complete)
      .map((image) => image.decode().catch(() => {}))])
      .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))`,
  )
  // Not `waitForFunction`: if its first check is false, the Content-Security-Policy of the console rejects the next one.
  const isStill = async () => (await page.evaluate('document.getAnimations().length === 0')) || undefined
  await until('the end of all animations', isStill)
}

/** The part of the window's API that `waitUntilInSight` uses. The tests have no types of the page. */
interface Observing {
  IntersectionObserver: new (
    report: (entries: { intersectionRatio: number }[]) => void,
  ) => { observe(element: unknown): void; disconnect(): void }
}

/** Waits until all of an element is inside the window, and no parent that scrolls or clips hides a part of it. */
export async function waitUntilInSight(target: Locator): Promise<void> {
  await target.waitFor()
  await until('an element that is completely in sight', async () => {
    const ratio = await target.evaluate((element) => {
      const { IntersectionObserver } = globalThis as unknown as Observing
      return new Promise<number>((done) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect()
          done(entry?.intersectionRatio ?? 0)
        })
        observer.observe(element)
      })
    })
    return ratio > 0.99 || undefined
  })
}
