/** The way to the network for one call: it knows whether anything was handed on, and looks before each request whether it may be. */
import type { AttemptActivity } from '../../domain/attempt-activity.ts'
import type { ProviderHttp } from '../../net/provider-http.ts'

export interface Door {
  http: ProviderHttp
  /** fresh: nothing was handed on, so nothing can have been carried out. shut: nothing was, because it may not be. */
  state(): 'fresh' | 'used' | 'shut'
}

/**
 * `mayPass`: asked before each request, for making it (masks, uploads) may take long, and a process can stand still. A file
 * that an answer points to is always fetched: it was paid for.
 */
export function openDoor(
  http: ProviderHttp,
  mayPass: () => Promise<boolean>,
  waiting: AttemptActivity['waiting'],
): Door {
  let state: ReturnType<Door['state']> = 'fresh'
  const through =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (!(await mayPass())) {
        if (state === 'fresh') state = 'shut'
        throw new Error('this attempt may not send anything any more')
      }
      state = 'used'
      return waiting(() => ask(...args))
    }
  return {
    http: { fetch: through(http.fetch), request: through(http.request), download: http.download },
    state: () => state,
  }
}
