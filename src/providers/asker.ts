/** Asks models for the steps of executions: each ask once, however often the execution is begun. */
import type { Clock } from '../domain/clock.ts'
import type { ExecutionStore } from '../domain/execution.ts'
import type { BlobStore, ImageFacts } from '../domain/image.ts'
import type { Asker } from '../domain/model.ts'
import type { Budgets, ProviderCallStore } from '../domain/provider-call.ts'
import type { ProviderHttp } from '../net/provider-http.ts'
import type { Provider } from './define.ts'
import type { ModelTable } from './registry/table.ts'
import { askModels } from './runner/ask.ts'
import { giveUpForsaken } from './runner/forsaken.ts'
import { createRunner } from './runner/runner.ts'
import { sleep } from './runner/waiting.ts'
import type { ProviderConfigs } from './settings.ts'

export interface AskerDependencies {
  models: ModelTable
  providers: ReadonlyMap<string, Provider>
  settings: ProviderConfigs
  calls: ProviderCallStore
  blobs: BlobStore
  executions: Pick<ExecutionStore, 'find' | 'whichRun'>
  /** Decodes all of an image file. Throws a Fault for what is none, is damaged or too large. */
  inspect(file: string, signal: AbortSignal): Promise<ImageFacts>
  http(provider: string): ProviderHttp
  clock: Clock
  budgets(accountId: string): Promise<Budgets>
  /** Told of what no caller sees: a cancel that failed, a record that could not be written. Holds no secret. */
  onError(error: Error): void
  /**
   * For how long a process that was told to end, or that has lost the execution, may still be about to record a call:
   * `submitting` is taken for unknown only after that. 0 where no other process runs executions.
   */
  othersFinishMs: number
}

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
