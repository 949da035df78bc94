/** The retention of executions: ended ones are removed some days after their end. Their images stay. */
import type { AccountStore } from '../../domain/accounts/account.ts'
import { dayMs } from '../../domain/accounts/activity.ts'
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionRetentionStore } from '../../domain/executions/execution-retention.ts'
import { createSkippedErrors, startingAfter } from '../../domain/skipped-errors.ts'

interface Dependencies {
  executions: ExecutionRetentionStore
  accounts: Pick<AccountStore, 'list'>
  keptDays: number
  clock: Clock
}

/** Executions that one statement looks at. */
const rowsAtOnce = 100

/** Returns how many executions it removed, about `rowsMax` at most. The next run continues. The error of one account is thrown after the others had their turn. */
export function createExecutionSweep({ executions, accounts, keptDays, clock }: Dependencies) {
  /** The last account that had its turn. */
  let lastAccountId = ''

  return async (rowsMax: number, signal?: AbortSignal): Promise<number> => {
    let removed = 0
    const isDone = () => removed >= rowsMax || signal?.aborted === true

    async function sweepOf(accountId: string): Promise<void> {
      // Usage counts the executions of a day that is not closed.
      const closedDay = await executions.lastClosedDay(accountId)
      if (closedDay === undefined) return
      const before = Math.min(clock.now() - keptDays * dayMs, Date.parse(closedDay) + dayMs)
      for (const status of ['completed', 'failed'] as const) {
        for (let from: number | undefined = 0; from !== undefined && !isDone(); ) {
          const swept = await executions.sweepEnded({ accountId, status, from, before }, rowsAtOnce)
          removed += swept.removed
          from = swept.next
        }
      }
    }

    const errors = createSkippedErrors()
    const ids = (await accounts.list()).map(({ id }) => id)
    for (const accountId of startingAfter(lastAccountId, ids)) {
      if (isDone()) break
      lastAccountId = accountId
      await errors.skip(() => sweepOf(accountId))
    }
    errors.throwAny()
    return removed
  }
}
