import { setTimeout as sleep } from 'node:timers/promises'

/** Asks again until it is told something. The deadline is there only so that a broken service ends the test. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  secondsMax = 60,
): Promise<T> {
  const deadline = performance.now() + secondsMax * 1000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`Waited ${secondsMax} s for: ${what}`)
    await sleep(20)
  }
}
