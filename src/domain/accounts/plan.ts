import { limits } from '../../limits.ts'
import { isTwin } from './twin.ts'

/**
 * The limits of each plan. `weight`: turns in the queue if several accounts have executions waiting. `runningMax`: executions that have
 * started and not ended, in all processes, including those that wait for an AI model. `waitingMax`: executions that wait to start.
 * Another `runningMax` needs a migration: see `2026-12-10-running-executions.ts`. The reasons for these numbers: docs/decisions/0026-fair-queue.md. How much an account can have: quota.ts.
 */
export const plans = {
  /** Executions that wait or run when an account loses API access fail. */
  free: {
    title: 'Free',
    apiAccess: false,
    requestsPerMinute: 0,
    weight: 0,
    runningMax: 0,
    waitingMax: 0,
  },
  starter: {
    title: 'Starter',
    apiAccess: true,
    requestsPerMinute: 60,
    weight: 1,
    runningMax: 20,
    waitingMax: 200,
  },
  pro: {
    title: 'Pro',
    apiAccess: true,
    requestsPerMinute: 300,
    weight: 2,
    runningMax: 80,
    waitingMax: 2_000,
  },
  /** "custom" in the specification: the account's own number, or this one. */
  enterprise: {
    title: 'Enterprise',
    apiAccess: true,
    requestsPerMinute: 6_000,
    weight: 4,
    runningMax: 180,
    waitingMax: 10_000,
  },
} as const

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as PlanName[]

export function forAllPlans<Value>(value: Value): Record<PlanName, Value> {
  return Object.fromEntries(planNames.map((plan) => [plan, value])) as Record<PlanName, Value>
}

export function isPlanName(text: string): text is PlanName {
  return Object.hasOwn(plans, text)
}

/** The account's requests per minute over all its keys. Only Enterprise accounts can have a custom number. Its test keys have another, smaller one. */
export function requestsPerMinute({
  id,
  plan,
  rateLimit,
}: {
  id: string
  plan: PlanName
  rateLimit: number | null
}): number {
  const max = plan === 'enterprise' && rateLimit !== null ? rateLimit : plans[plan].requestsPerMinute
  return isTwin(id) ? Math.min(max, limits.testRequestsPerMinuteMax) : max
}

/** Executions of the account that run at the same time. */
export function runningMax({ id, plan }: { id: string; plan: PlanName }): number {
  const max = plans[plan].runningMax
  return isTwin(id) ? Math.min(max, limits.testExecutionsRunningMax) : max
}
