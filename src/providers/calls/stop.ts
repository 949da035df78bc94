/** Why the work on a model call ends early, and the signals that its parts listen to. */

/**
 * cancel: the step doesn't need the result. detach: the next attempt resumes the call. timeout: the deadline has passed.
 * shutdown: the process ends.
 */
export type StopReason = 'cancel' | 'detach' | 'timeout' | 'shutdown'

export class Stopped extends Error {
  constructor(reason: StopReason) {
    super(`stopped: ${reason}`)
    this.name = 'Stopped'
  }
}

export class StopControl {
  readonly #work = new AbortController()
  readonly #send = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #msLeft: () => number
  readonly #graceMs: number
  #reason: StopReason | undefined
  #grace: NodeJS.Timeout | undefined

  /**
   * `msLeft`: until the deadline. `graceMs`: how long a request that was sent may still be answered after `cancel`, because only
   * its response has the job that can be cancelled.
   */
  constructor(msLeft: () => number, graceMs: number) {
    this.#msLeft = msLeft
    this.#graceMs = graceMs
    this.#timer = setTimeout(() => this.stop('timeout'), Math.max(0, msLeft()))
  }

  /** Aborts on every stop: for work that can be resumed. */
  get signal(): AbortSignal {
    return this.#work.signal
  }

  /** Signal for a request whose response is not recorded yet: doesn't abort on `detach`. */
  get sendSignal(): AbortSignal {
    return this.#send.signal
  }

  get reason(): StopReason | undefined {
    return this.#reason
  }

  readonly secondsLeft = (): number => Math.max(0.001, this.#msLeft() / 1000)

  /** The first reason counts. Only `detach` may be followed by another one. */
  stop(reason: StopReason): void {
    if (this.#reason !== undefined && this.#reason !== 'detach') return
    this.#reason = reason
    const stopped = new Stopped(reason)
    if (reason !== 'detach') {
      clearTimeout(this.#timer)
      if (reason === 'cancel' && this.#graceMs > 0) {
        this.#grace = setTimeout(() => this.#send.abort(stopped), this.#graceMs)
      } else this.#send.abort(stopped)
    }
    this.#work.abort(stopped)
  }

  /** Clears the timers. */
  dispose(): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#grace)
  }
}

/** The abort itself, as client libraries pass it on, and not a response of the provider. */
export function isAbort(error: unknown, { aborted, reason }: AbortSignal): boolean {
  if (!aborted || !(error instanceof Error)) return false
  return error === reason || error.cause === reason || error.name === 'AbortError' || error.name === 'TimeoutError'
}
