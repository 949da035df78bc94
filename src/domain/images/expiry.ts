/** The defaults of the time after which an image is removed. Without one, it stays. */
import type { PlanName } from '../accounts/plan.ts'

/** Days that new images of accounts with these plans stay. */
export type DaysByPlan = Partial<Record<PlanName, number>>

const daySeconds = 86_400

/** The time of removal by the first duration in seconds that is set. */
export function expiryOf(now: number, ...durations: (number | undefined)[]): { expiresAt?: number } {
  const seconds = durations.find((duration) => duration !== undefined)
  return seconds === undefined ? {} : { expiresAt: now + seconds * 1_000 }
}

export function secondsOfPlan(days: DaysByPlan | undefined, plan: PlanName | undefined): number | undefined {
  const ofPlan = plan === undefined ? undefined : days?.[plan]
  return ofPlan === undefined ? undefined : ofPlan * daySeconds
}
