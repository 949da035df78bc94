/** The reasons why a worker ends an attempt without recording an outcome. */
import { DependencyUnavailable } from '../errors.ts'

/** The process shuts down: the execution returns to the queue. */
export class ShuttingDown extends Error {
  constructor() {
    super('shutting down')
  }
}

/** It was cancelled, or another worker has taken over: writes of this attempt are rejected. */
export class LeaseLost extends Error {
  constructor() {
    super('the right to write was lost')
  }
}

/** Whether an error, or one of its causes, is a dependency that can't be reached: the execution is retried. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && (error instanceof DependencyUnavailable || isUnavailable(error.cause))
}
