/** Calls models for the steps of executions: each request once, however often an execution is retried. */
import { withGrace } from '../../domain/abortable.ts'
import { isTwin } from '../../domain/accounts/twin.ts'
import type { ModelClient } from '../../domain/models/model.ts'
import type { ProviderCall } from '../../domain/models/provider-call.ts'
import { createSkippedErrors, startingAfter } from '../../domain/skipped-errors.ts'
import { limits } from '../../limits.ts'
import { CallRecord } from './call-record.ts'
import { type CallContext, type CallDependencies, createCallContext } from './context.ts'
import { assumedCost } from './costs.ts'
import { invokeModel } from './invoke-model.ts'
import { ProviderClient } from './provider-client.ts'

/** `invoke` rejects with failures, or with `DependencyUnavailable` if records or bytes can't be reached: then the execution is retried. */
export interface ProviderModelClient extends ModelClient {
  /**
   * A background job: cancels orphaned calls, whose execution ended without them (its process died, for example). Returns
   * their number. The error of one call is thrown after the others had their turn.
   */
  cancelOrphanedCalls(rowsMax: number, signal?: AbortSignal): Promise<number>
  /** Waits at most this long for calls in progress that no step waits for, then aborts them. */
  close(withinMs: number): Promise<void>
}

/** The providers of test keys. */
export type TestProviders = Pick<
  CallDependencies,
  'models' | 'providers' | 'configs' | 'http' | 'budgets' | 'isOfTests'
>

/** `tests`: for the calls of test keys, which never see the other providers. */
export function createModelClient(dependencies: CallDependencies, tests: TestProviders): ProviderModelClient {
  const live = createCallContext(dependencies)
  const test = createCallContext({ ...dependencies, ...tests })
  const contextOf = ({ accountId }: { accountId: string }) => (isTwin(accountId) ? test : live)
  return {
    invoke: (owner, site, invocation, options) => invokeModel(contextOf(owner), { owner, site, invocation, options }),
    cancelOrphanedCalls: createCancelOrphanedCalls(dependencies, contextOf),
    async close(withinMs) {
      const active = [...live.active, ...test.active]
      await withGrace(Promise.allSettled(active.map(({ done }) => done)), withinMs / 1_000)
      for (const call of [...live.active, ...test.active]) call.stop('shutdown')
      live.closeLimiters()
      test.closeLimiters()
    },
  }
}

/**
 * An execution that has just ended cancels its calls itself, and one that resumes it follows its jobs for at most as long as a call
 * may take.
 */
const orphanedAfterMs = (limits.providerUpscaleSeconds + 60) * 1000

function createCancelOrphanedCalls(
  { calls, clock }: CallDependencies,
  contextOf: (row: ProviderCall) => CallContext,
): ProviderModelClient['cancelOrphanedCalls'] {
  /** The last call that had its turn. */
  let lastId = ''

  async function cancel(row: ProviderCall, context: CallContext): Promise<void> {
    const model = context.modelOf(row)
    const provider = context.providers.get(row.provider)
    const request = { capability: row.capability, images: [] }
    if (provider) await new ProviderClient(context, { provider, model, request }).cancel(row)
    const problem = { kind: 'cancelled', message: 'the execution ended before the call' }
    await new CallRecord(context, row).end({ state: 'cancelled', problem, ...assumedCost(row, model) })
  }

  return async (rowsMax, signal) => {
    const errors = createSkippedErrors()
    const rows = await calls.listOrphaned(clock.now() - orphanedAfterMs, rowsMax)
    const byId = new Map(rows.map((row) => [row.id, row]))
    let count = 0
    for (const id of startingAfter(lastId, [...byId.keys()])) {
      if (signal?.aborted) break
      lastId = id
      const row = byId.get(id)
      if (row === undefined) continue
      const context = contextOf(row)
      if (context.activeCall(id)) continue
      if (await errors.skip(() => cancel(row, context))) count += 1
    }
    errors.throwAny()
    return count
  }
}
