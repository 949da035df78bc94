/**
 * Test keys (`tt_test_...`) act as the twin of their account: a second account whose id follows from that of the live account. Images, executions,
 * batches, caches, quotas and rates belong to the twin, so they are as separate as those of any other account. Every process knows from the id
 * alone that an execution is a test, so no flag can be lost. Reasons: docs/decisions/0078-test-keys.md.
 */
import { limits } from '../../limits.ts'

const suffix = '_test'

export function isTwin(accountId: string): boolean {
  return accountId.endsWith(suffix)
}

/** The id of the twin of an account; the same id for a twin. */
export function twinOf(accountId: string): string {
  return isTwin(accountId) ? accountId : `${accountId}${suffix}`
}

/** The id of the account with the workflows, channels, brand values, fonts, projects and keys: of a twin, that of its live account. */
export function liveAccountOf(accountId: string): string {
  return isTwin(accountId) ? accountId.slice(0, -suffix.length) : accountId
}

/** The field of responses about the records of a twin. */
export function testField(accountId: string): { test?: true } {
  return isTwin(accountId) ? { test: true } : {}
}

const imagesKeptSeconds = limits.testImagesKeptDays * 86_400

/** Seconds that a new image of the account stays, of those that were requested. */
export function imageSeconds(accountId: string, requested: number | undefined): number | undefined {
  return isTwin(accountId) ? Math.min(requested ?? imagesKeptSeconds, imagesKeptSeconds) : requested
}

/**
 * The store of records that both accounts read from the live account. The first argument of each of its functions is the id of an account, a record
 * with `accountId`, or neither.
 */
export function ofLiveAccounts<Store extends object>(store: Store): Store {
  const entries = Object.entries(store).map(([name, method]) => [
    name,
    typeof method === 'function'
      ? (first: unknown, ...rest: unknown[]) => method.call(store, live(first), ...rest)
      : method,
  ])
  return Object.fromEntries(entries) as Store
}

function live(argument: unknown): unknown {
  if (typeof argument === 'string') return liveAccountOf(argument)
  if (typeof argument !== 'object' || argument === null || !('accountId' in argument)) return argument
  return { ...argument, accountId: liveAccountOf(String(argument.accountId)) }
}
