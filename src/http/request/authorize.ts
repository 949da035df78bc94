import { hasApiAccess } from '../../domain/accounts/account.ts'
import { type Caller, type Grant, mayUse } from '../../domain/accounts/key.ts'
import { plans } from '../../domain/accounts/plan.ts'
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

export function authorizeKey({ key }: Caller, needed: readonly Grant[]): void {
  if (needed.length === 0 || mayUse(key.permissions, needed)) return
  throw new Fault('forbidden', `The API key lacks the permission "${needed.join('" or "')}". Use a key that has it.`, {
    permission: needed[0],
  })
}
