/** Pauses for other work while text is measured or drawn. */
import { nextPause } from '../../domain/pauses.ts'
import { abortFault } from '../raster/jobs.ts'

export interface Pauses {
  /** Counts work that was done. Returns undefined, or a promise to wait for: rejects with the reason of the signal. */
  after(cost: number): Promise<void> | undefined
}

/** A pause after work of `costMax`, in any unit. */
export function createPauses(costMax: number, signal: AbortSignal | undefined): Pauses {
  let spent = 0
  return {
    after(cost) {
      spent += cost
      if (spent < costMax) return undefined
      spent = 0
      return pause(signal)
    },
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await nextPause()
  if (signal?.aborted) throw abortFault(signal)
}
