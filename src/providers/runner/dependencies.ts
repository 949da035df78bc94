/** What the runner of calls is put together from. */
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionStore } from '../../domain/execution.ts'
import type { BlobStore, ImageFacts } from '../../domain/image.ts'
import type { Budgets, ProviderCallStore } from '../../domain/provider-call.ts'
import type { ProviderHttp } from '../../net/provider-http.ts'
import type { Provider } from '../define.ts'
import type { ModelTable } from '../registry/table.ts'
import type { ProviderConfigs } from '../settings.ts'

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
