/** What an account may do by what it pays: the specification's table of limits. */
export const plans = {
  free: { title: 'Free', apiAccess: false, requestsPerMinute: 0 },
  starter: { title: 'Starter', apiAccess: true, requestsPerMinute: 60 },
  pro: { title: 'Pro', apiAccess: true, requestsPerMinute: 300 },
  /** "custom" in the specification: the account's own number, or this one. */
  enterprise: { title: 'Enterprise', apiAccess: true, requestsPerMinute: 6_000 },
} as const

export type PlanName = keyof typeof plans

export const planNames = Object.keys(plans) as PlanName[]

export function isPlanName(text: string): text is PlanName {
  return Object.hasOwn(plans, text)
}

/** The account's requests per minute over all its keys. Only Enterprise accounts have a number of their own. */
export function requestsPerMinute(account: { plan: PlanName; rateLimit: number | null }): number {
  return account.plan === 'enterprise' && account.rateLimit !== null
    ? account.rateLimit
    : plans[account.plan].requestsPerMinute
}
