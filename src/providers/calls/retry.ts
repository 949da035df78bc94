/** Waiting that can be aborted. */
import { setTimeout as pause } from 'node:timers/promises'
import { randomFraction } from '../../domain/ids.ts'

/** Rejects with the reason of the signal. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await pause(Math.max(0, Math.min(ms, timerMsMax)), undefined, { signal }).catch(() => signal.throwIfAborted())
}

/** A longer timer would fire immediately. */
const timerMsMax = 2 ** 31 - 1

/** Full jitter: a random time up to a bound that doubles with each try, so that calls that failed together are spread out. */
export function backOffMs(tries: number, { firstMs = 1_000, mostMs = 20_000 } = {}): number {
  return randomFraction() * Math.min(mostMs, firstMs * 2 ** tries)
}
