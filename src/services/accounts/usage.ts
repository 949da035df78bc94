/** The cost of an account's AI model calls, and its remaining budget. */

import { show } from '../../../shared/text.ts'
import type { Account } from '../../domain/accounts/account.ts'
import { type QuotaStore, type QuotaUse, quotaNames } from '../../domain/accounts/quota.ts'
import { type Clock, timestamp } from '../../domain/clock.ts'
import type { DaysByPlan } from '../../domain/images/expiry.ts'
import type { Micros } from '../../domain/models/model.ts'
import type { ProviderCallStore, UsageRow } from '../../domain/models/provider-call.ts'
import { type Issue, invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** Sums by the day on which calls end (`UsageRow`). */
export type Sums = Pick<UsageRow, 'calls' | 'failures' | 'costMicros' | 'unknownCosts'>

export interface UsageQuery {
  /** The first and the last day, for example `2026-11-21`, in UTC. Default: the first of this month, and today. */
  from?: string
  to?: string
  workflowId?: string
  keyId?: string
}

export interface UsageSummary {
  from: string
  to: string
  totals: Sums
  /** Both oldest first. */
  months: (Sums & { month: string })[]
  days: (Sums & { day: string })[]
  /** The most expensive first, at most `usageListMax` of each. */
  workflows: (Sums & { workflowId: string })[]
  /** Null: executions that a command started, without a key. */
  keys: (Sums & { keyId: string | null })[]
  models: (Sums & { model: string })[]
  /** Always of this month. */
  budget: Budget
  /** Now, in the order of the table. */
  quotas: QuotaUse[]
  /** Days that executions are stored after their end. */
  executionsKeptDays: number
  /** Days that new uploads and outputs are stored by default. Undefined: they stay. */
  uploadsKeptDays?: number | undefined
  outputsKeptDays?: number | undefined
}

export interface Budget {
  month: string
  /** Null: no bound. */
  monthMicros: Micros | null
  spentMicros: Micros
  /** Reserved for calls that have not ended. */
  reservedMicros: Micros
}

export interface Usage {
  /** Throws `invalid_request` for days that don't exist, and for ranges that are too long. */
  of(account: Pick<Account, 'id' | 'plan' | 'monthlyBudget'>, query: UsageQuery): Promise<UsageSummary>
}

interface Dependencies {
  calls: Pick<ProviderCallStore, 'usage' | 'spentOf'>
  clock: Clock
  /** The budget of accounts without their own. */
  monthlyBudget: Micros | null
  quotas: Pick<QuotaStore, 'read'>
  executionsKeptDays: number
  uploadsKeptDays?: DaysByPlan | undefined
  outputsKeptDays?: DaysByPlan | undefined
}

const dayMs = 86_400_000

export function createUsage(dependencies: Dependencies): Usage {
  const { calls, clock, monthlyBudget, quotas, executionsKeptDays, uploadsKeptDays, outputsKeptDays } = dependencies
  return {
    async of(account, query) {
      const today = dayOf(clock.now())
      const month = today.slice(0, 7)
      const { from, to } = rangeOf(query, today)
      const { workflowId, keyId } = query
      const filter = {
        from,
        to,
        ...(workflowId !== undefined && { workflowId }),
        ...(keyId !== undefined && { keyId }),
      }
      const [rows, spent, uses] = await Promise.all([
        calls.usage(account.id, filter),
        calls.spentOf(account.id, month),
        quotas.read(account.id, quotaNames, clock.now()),
      ])
      return {
        from,
        to,
        totals: rows.reduce(add, zeroSums),
        months: summedBy(rows, ({ day }) => day.slice(0, 7)).map(([month, sums]) => ({ month, ...sums })),
        days: summedBy(rows, ({ day }) => day).map(([day, sums]) => ({ day, ...sums })),
        workflows: costliestBy(rows, (row) => row.workflowId).map(([workflowId, sums]) => ({ workflowId, ...sums })),
        keys: costliestBy(rows, (row) => row.keyId).map(([keyId, sums]) => ({ keyId, ...sums })),
        models: costliestBy(rows, ({ model }) => model).map(([model, sums]) => ({ model, ...sums })),
        budget: { month, monthMicros: monthlyBudgetOf(account, monthlyBudget), ...spent },
        quotas: uses,
        executionsKeptDays,
        uploadsKeptDays: uploadsKeptDays?.[account.plan],
        outputsKeptDays: outputsKeptDays?.[account.plan],
      }
    },
  }
}

/** Null: no limit. `standard`: the budget of accounts without their own. */
export function monthlyBudgetOf(account: Pick<Account, 'monthlyBudget'>, standard: Micros | null): Micros | null {
  if (account.monthlyBudget === 'none') return null
  return account.monthlyBudget ?? standard
}

function rangeOf(query: UsageQuery, today: string): { from: string; to: string } {
  const issues: Issue[] = []
  for (const path of ['from', 'to'] as const) {
    const day = query[path]
    if (day !== undefined && !isDay(day))
      issues.push({ path, message: `must be a day in UTC such as ${today}, not ${show(day)}` })
  }
  if (issues.length > 0) throw invalidRequest(issues)
  const to = query.to ?? today
  const from = query.from ?? `${to.slice(0, 7)}-01`
  if (from > to) throw invalidRequest([{ path: 'from', message: `must not be after ${to}` }])
  if (Date.parse(to) - Date.parse(from) >= limits.usageDaysMax * dayMs) {
    throw invalidRequest([{ path: 'from', message: `must be less than ${limits.usageDaysMax} days before ${to}` }])
  }
  return { from, to }
}

/** Whether it is a day of the calendar. */
function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(ms) && dayOf(ms) === text
}

function dayOf(ms: number): string {
  return timestamp(ms).slice(0, 10)
}

const zeroSums: Sums = { calls: 0, failures: 0, costMicros: 0, unknownCosts: 0 }

function add(a: Sums, b: Sums): Sums {
  return {
    calls: a.calls + b.calls,
    failures: a.failures + b.failures,
    costMicros: a.costMicros + b.costMicros,
    unknownCosts: a.unknownCosts + b.unknownCosts,
  }
}

/** Sums in the order of the rows: by day. */
function summedBy<Key>(rows: readonly UsageRow[], keyOf: (row: UsageRow) => Key): [Key, Sums][] {
  const sums = new Map<Key, Sums>()
  for (const row of rows) sums.set(keyOf(row), add(sums.get(keyOf(row)) ?? zeroSums, row))
  return [...sums]
}

function costliestBy<Key>(rows: readonly UsageRow[], keyOf: (row: UsageRow) => Key): [Key, Sums][] {
  return summedBy(rows, keyOf)
    .sort(
      ([a, sumsOfA], [b, sumsOfB]) =>
        sumsOfB.costMicros - sumsOfA.costMicros || sumsOfB.calls - sumsOfA.calls || (String(a) < String(b) ? -1 : 1),
    )
    .slice(0, limits.usageListMax)
}
