/** HTTP for one model call: checks before each request that the attempt may still send it, and knows whether anything was sent. */
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import type { ProviderHttp } from '../../net/provider-http.ts'

/**
 * The check runs before each request, because preparing it (masks, uploads) can take long and a process can be suspended.
 * Downloads of results are always allowed: they were paid for.
 */
export class GuardedHttp {
  /** unused: no request reached the network. refused: the first request was not allowed. */
  state: 'unused' | 'used' | 'refused' = 'unused'
  /** Why the check itself failed. Kept here because client libraries wrap the errors that they catch. */
  checkError: unknown
  readonly #check: () => Promise<boolean>

  constructor(check: () => Promise<boolean>) {
    this.#check = check
  }

  /** False also if the check fails. */
  async isAllowed(): Promise<boolean> {
    try {
      return await this.#check()
    } catch (error) {
      this.checkError = error
      return false
    }
  }

  /** `waiting` wraps each request. */
  wrap(http: ProviderHttp, isCancelled: () => boolean, waiting: AttemptActivity['waiting']): ProviderHttp {
    const guarded =
      <Args extends unknown[], Result>(send: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (isCancelled() || !(await this.isAllowed())) {
          if (this.state === 'unused') this.state = 'refused'
          throw new Error('this attempt may no longer send requests')
        }
        this.state = 'used'
        return waiting(() => send(...args))
      }
    return { fetch: guarded(http.fetch), request: guarded(http.request), download: http.download }
  }
}
