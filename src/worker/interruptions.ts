/** Why an execution ends early with nothing recorded, because it is no fault of its own. */
import { Fault } from '../errors.ts'

/** The process ends: it is given back. */
export class ShuttingDown extends Error {
  constructor() {
    super('shutting down')
  }
}

/** It was cancelled, or another worker has it: whatever this one writes is refused. */
export class LeaseLost extends Error {
  constructor() {
    super('the right to write was lost')
  }
}

/** Records or bytes cannot be read or written now: it is tried again. */
export class Unavailable extends Error {
  constructor(cause: unknown) {
    super(`records or bytes are not available: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && (error instanceof Unavailable || isUnavailable(error.cause))
}

/** What is read of ours: where that fails, the execution is not to blame. */
export async function available<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading
  } catch (error) {
    throw error instanceof Fault ? error : new Unavailable(error)
  }
}
