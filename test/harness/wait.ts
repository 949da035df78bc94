import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 20

/**
 * Polls until a value is available. The deadline only ends the test of a broken service: no test passes or fails because
 * of a duration. `false` is a value: for no value, return undefined.
 */
export async function until<T>(
  awaited: string,
  condition: () => Promise<T | undefined> | T | undefined,
  secondsMax = 300,
): Promise<T> {
  const deadline = performance.now() + secondsMax * 1000
  for (;;) {
    const found = await condition()
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`Waited ${secondsMax} s for: ${awaited}`)
    await sleep(pollMs)
  }
}

/** Polls a number of times and throws when the condition no longer applies. For things that must not happen late. */
export async function remains(state: string, isSo: () => Promise<boolean> | boolean, polls: number): Promise<void> {
  for (let poll = 0; poll < polls; poll++) {
    if (!(await isSo())) throw new Error(`No longer so: ${state}`)
    await sleep(pollMs)
  }
}
