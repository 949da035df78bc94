import type { Micros } from '../models/model.ts'
import { type PlanName, plans } from './plan.ts'

/** The owner of workflows and images, and the unit of billing and limits. */
export interface Account {
  id: string
  name: string
  plan: PlanName
  /** Requests per minute of an Enterprise account. Null: the number of its plan. */
  rateLimit: number | null
  createdAt: number
  /** The budget for its calls of AI models in a calendar month (UTC). Undefined: the operator's default. */
  monthlyBudget?: Micros | 'none'
  /** Maximum bytes that it can store. Undefined: the operator's default, or the number of its plan. */
  storageBytesMax?: number | 'none'
  /** The secret with which the service signs URLs of its images in responses. */
  urlSecret?: string
  /** Whether an image or a project was ever private: then responses sign all URLs of its outputs. */
  hasPrivateImages?: true
  /** Its keys are refused, and its executions wait, until it is resumed. */
  suspendedAt?: number
}

/** Whether requests, delivery URLs and executions of the account are accepted. */
export function hasApiAccess({ plan, suspendedAt }: Pick<Account, 'plan' | 'suspendedAt'>): boolean {
  return plans[plan].apiAccess && suspendedAt === undefined
}

export interface AccountChange extends Partial<Pick<Account, 'plan' | 'rateLimit'>> {
  /** Null restores the operator's default. */
  monthlyBudget?: Micros | 'none' | null
  /** Maximum of stored bytes. Null restores the default. */
  storageBytesMax?: number | 'none' | null
  /** Null resumes it. */
  suspendedAt?: number | null
}

/** Accounts that are deleted are not found. */
export interface AccountStore {
  create(account: Account): Promise<void>
  find(id: string): Promise<Account | undefined>
  /** Oldest first. */
  list(): Promise<Account[]>
  /** False if the account is missing. */
  update(id: string, change: AccountChange): Promise<boolean>
  /** Hides the account and refuses its keys, until its records are removed. False if it is missing; true if it was marked before. */
  markDeleted(id: string, now: number): Promise<boolean>
  /** Accounts whose records are to be removed, and whose removal no process has started or continued since this time. */
  listDeleted(since: number): Promise<string[]>
}
