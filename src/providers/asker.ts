/** Asks models for the steps of executions: each ask once, however often the execution is begun. */
import type { Asker } from '../domain/model.ts'
import { askModels } from './runner/ask.ts'
import type { AskerDependencies } from './runner/dependencies.ts'
import { giveUpForsaken } from './runner/forsaken.ts'
import { createRunner } from './runner/runner.ts'
import { sleep } from './runner/waiting.ts'

/** Besides failures, `ask` rejects with `Unreachable` when records or bytes cannot be reached: it is to be tried again. */
export interface ProviderAsker extends Asker {
  /**
   * A chore of the sweep: gives up calls whose execution has ended without them (its process died, say), at the provider
   * too. Gives how many.
   */
  giveUpForsaken(rowsMax: number): Promise<number>
  /** Waits for what is under way and not waited for any more, at most so long; then aborts it. */
  close(withinMs: number): Promise<void>
}

export function createAsker(dependencies: AskerDependencies): ProviderAsker {
  const runner = createRunner(dependencies)
  return {
    ask: (asking, place, ask, run) => askModels(runner, asking, place, ask, run),
    giveUpForsaken: (rowsMax) => giveUpForsaken(runner, rowsMax),
    async close(withinMs) {
      const jobs = [...runner.underWay]
      const timer = new AbortController()
      const late = sleep(withinMs, timer.signal).catch(() => undefined)
      await Promise.race([Promise.allSettled(jobs.map(({ done }) => done)), late])
      timer.abort()
      for (const job of runner.underWay) job.stop('die')
      runner.close()
    },
  }
}
