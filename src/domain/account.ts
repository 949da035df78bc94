import type { Micros } from './model.ts'
import type { PlanName } from './plan.ts'

/** Who pays, and whose the workflows and images are. */
export interface Account {
  id: string
  name: string
  plan: PlanName
  /** Requests per minute of an Enterprise account; null for its plan's number. */
  rateLimit: number | null
  createdAt: number
  /** Most that its calls of AI models may cost in a calendar month (UTC). Undefined: the operator's default. */
  monthlyBudget?: Micros | 'none'
}

export interface AccountChange extends Partial<Pick<Account, 'plan' | 'rateLimit'>> {
  /** Null: the operator's default again. */
  monthlyBudget?: Micros | 'none' | null
}

export interface AccountStore {
  create(account: Account): Promise<void>
  find(id: string): Promise<Account | undefined>
  /** Oldest first. */
  list(): Promise<Account[]>
  /** False when there is no such account. */
  update(id: string, change: AccountChange): Promise<boolean>
}
