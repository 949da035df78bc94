import { hasApiAccess } from '../../domain/accounts/account.ts'
import { type Caller, mayUse } from '../../domain/accounts/key.ts'
import { plans } from '../../domain/accounts/plan.ts'
import { isTwin } from '../../domain/accounts/twin.ts'
import { Fault } from '../../errors.ts'
import type { Route } from '../define-route.ts'
import { unusableText } from '../response/run-link-fault.ts'

/** The permissions of a route that needs a key. */
export type Needed = Exclude<Route['permission'], 'public'>

const runLink = 'run-link'

/** Runs before `authorizeKey`, so that an account without API access gets this error for every key. */
export function authorizePlan({ account, key }: Caller, needed: Needed): void {
  if (hasApiAccess(account)) return
  const permission = needed === runLink ? null : (needed[0] ?? null)
  // Its plan is not for people with a link.
  if (key.workflowId !== null) throw new Fault('forbidden', unusableText, { permission })
  if (account.suspendedAt !== undefined) {
    const message = 'The account is suspended. Contact the operator of the service.'
    throw new Fault('forbidden', message, { permission })
  }
  const plan = plans[account.plan]
  const details = { plan: account.plan, permission }
  throw new Fault(
    'forbidden',
    `The plan ${plan.title} doesn't include API access. Move the account to Starter or a higher plan.`,
    details,
  )
}

/** Refuses a test key at a route for live keys. Runs before `authorizeKey`: another test key wouldn't help. */
export function authorizeMode({ account }: Caller, needed: Needed): void {
  if (!isTwin(account.id)) return
  const message =
    'A test key (tt_test_...) can only read, save drafts, upload images and execute workflows. Use a live key (tt_live_...).'
  throw new Fault('forbidden', message, {
    permission: needed === runLink ? null : (needed[0] ?? null),
    liveKeyRequired: true,
  })
}

/** A run link and an ordinary key have no route in common. */
export function authorizeKey({ key }: Caller, needed: Needed): void {
  if (key.workflowId !== null && needed !== runLink) {
    const message =
      'The key of a run link can only run its workflow, at the paths below /v1/run-link. Use another API key.'
    throw new Fault('forbidden', message, { permission: needed[0] ?? null })
  }
  if (needed === runLink) {
    if (key.workflowId !== null) return
    const message = 'Only the key of a run link can be used here. Execute the workflow at /v1/workflows/execute.'
    throw new Fault('forbidden', message, { permission: null })
  }
  if (needed.length === 0 || mayUse(key.permissions, needed)) return
  throw new Fault('forbidden', `The API key lacks the permission "${needed.join('" or "')}". Use a key that has it.`, {
    permission: needed[0],
  })
}
