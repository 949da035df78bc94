import { type Account, type AccountChange, type AccountStore, hasApiAccess } from '../../domain/accounts/account.ts'
import type { PlanName } from '../../domain/accounts/plan.ts'
import type { ProjectStore } from '../../domain/accounts/project.ts'
import { isTwin, twinOf } from '../../domain/accounts/twin.ts'
import type { Clock } from '../../domain/clock.ts'
import { newSigningSecret } from '../../domain/delivery/signing-key.ts'
import type { ExecutionStore } from '../../domain/executions/execution.ts'
import { newId } from '../../domain/ids.ts'
import type { Micros } from '../../domain/models/model.ts'
import { invalidRequest, notFound } from '../../errors.ts'
import { stopExecutions } from '../executions/stop-executions.ts'
import { newProject } from './projects.ts'

export interface Accounts {
  /** Creates the project "Default" too. `rateLimit` (requests per minute) is for Enterprise only. */
  create(account: { name: string; plan: PlanName; rateLimit?: number }): Promise<Account>
  find(id: string): Promise<Account>
  list(): Promise<Account[]>
  /** A plan without API access stops its executions, as `suspend` does. */
  setPlan(id: string, plan: PlanName, rateLimit?: number): Promise<Account>
  /** Refuses its keys. Its waiting executions fail immediately, its running ones at their next step, and its batches are paused. */
  suspend(id: string): Promise<Account>
  resume(id: string): Promise<Account>
  /** The budget for AI models per month. Null: the operator's default. */
  setBudget(id: string, budget: Micros | 'none' | null): Promise<Account>
  /** Maximum bytes that it can store. Null: the operator's default, or the number of its plan. */
  setStorage(id: string, bytesMax: number | 'none' | null): Promise<Account>
}

interface Dependencies {
  accounts: AccountStore
  projects: ProjectStore
  executions: Pick<ExecutionStore, 'stop'>
  clock: Clock
}

export function createAccounts({ accounts, projects, executions, clock }: Dependencies): Accounts {
  async function find(id: string): Promise<Account> {
    const account = isTwin(id) ? undefined : await accounts.find(id)
    if (account === undefined) throw notFound('account', id)
    return account
  }
  async function update(id: string, change: AccountChange): Promise<Account> {
    if (isTwin(id) || !(await accounts.update(id, change))) throw notFound('account', id)
    const account = await find(id)
    // If the process ends before this, the background job does it.
    if (!hasApiAccess(account)) for (const each of [id, twinOf(id)]) await stopExecutions({ executions, clock }, each)
    return account
  }
  return {
    async create({ name, plan, rateLimit }) {
      const now = clock.now()
      const account: Account = {
        id: newId('acct', now),
        name,
        plan,
        rateLimit: checkedRateLimit(plan, rateLimit),
        createdAt: now,
        urlSecret: newSigningSecret(),
      }
      await accounts.create(account)
      await projects.create(newProject(account.id, 'Default', 'Where workflows go that name no project.', clock, true))
      return account
    },
    find,
    list: async () => (await accounts.list()).filter(({ id }) => !isTwin(id)),
    setPlan: async (id, plan, rateLimit) => update(id, { plan, rateLimit: checkedRateLimit(plan, rateLimit) }),
    async suspend(id) {
      const { suspendedAt = clock.now() } = await find(id)
      return update(id, { suspendedAt })
    },
    resume: (id) => update(id, { suspendedAt: null }),
    setBudget: (id, budget) => update(id, { monthlyBudget: budget }),
    setStorage: (id, bytesMax) => update(id, { storageBytesMax: bytesMax }),
  }
}

function checkedRateLimit(plan: PlanName, rateLimit: number | undefined): number | null {
  if (rateLimit === undefined) return null
  if (plan !== 'enterprise') {
    throw invalidRequest([{ path: 'rateLimit', message: `can only be set on the plan "enterprise", not on "${plan}"` }])
  }
  if (!Number.isSafeInteger(rateLimit) || rateLimit < 1) {
    throw invalidRequest([
      { path: 'rateLimit', message: `must be a whole number of requests per minute from 1, not ${rateLimit}` },
    ])
  }
  return rateLimit
}
