import { hasApiAccess } from '../../domain/accounts/account.ts'
import { type Caller, type Grant, mayUse } from '../../domain/accounts/key.ts'
import { plans } from '../../domain/accounts/plan.ts'
import { isTwin } from '../../domain/accounts/twin.ts'
import { Fault } from '../../errors.ts'

/** Runs before `authorizeKey`, so that an account without API access gets this error for every key. */
export function authorizePlan({ account }: Caller, needed: readonly Grant[]): void {
  if (hasApiAccess(account)) return
  if (account.suspendedAt !== undefined) {
    const message = 'The account is suspended. Contact the operator of the service.'
    throw new Fault('forbidden', message, { permission: needed[0] ?? null })
  }
  const plan = plans[account.plan]
  const details = { plan: account.plan, permission: needed[0] ?? null }
  throw new Fault(
    'forbidden',
    `The plan ${plan.title} doesn't include API access. Move the account to Starter or a higher plan.`,
    details,
  )
}

/** Refuses a test key at a route for live keys. Runs before `authorizeKey`: another test key wouldn't help. */
export function authorizeMode({ account }: Caller, needed: readonly Grant[]): void {
  if (!isTwin(account.id)) return
  const message =
    'A test key (tt_test_...) can only read, save drafts, upload images and execute workflows. Use a live key (tt_live_...).'
  throw new Fault('forbidden', message, { permission: needed[0] ?? null, liveKeyRequired: true })
}

export function authorizeKey({ key }: Caller, needed: readonly Grant[]): void {
  if (needed.length === 0 || mayUse(key.permissions, needed)) return
  throw new Fault('forbidden', `The API key lacks the permission "${needed.join('" or "')}". Use a key that has it.`, {
    permission: needed[0],
  })
}
