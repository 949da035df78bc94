/** Management of an account's own keys. Keys of other accounts are not found. A key with a budget can't give itself, or another key, more. */

import {
  type Caller,
  type Grant,
  hasBudget,
  isTestKey,
  type Key,
  type KeySettings,
  type KeyStore,
} from '../../domain/accounts/key.ts'
import { type Clock, timestamp } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import type { Micros } from '../../domain/models/model.ts'
import type { ProviderCallStore } from '../../domain/models/provider-call.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { Fault, invalidRequest, notFound } from '../../errors.ts'
import { newKey } from './keys.ts'
import { defaultExpiry, type NewRunLink, type RunLinkChecks } from './run-link-checks.ts'

export interface AccountKeys {
  find(accountId: string, id: string): Promise<Key>
  /** Newest first. With `workflowId`: the run links of this workflow. */
  list(accountId: string, page: PageRequest, workflowId?: string): Promise<CountedPage<Key>>
  /** Spent and reserved on this day and in this calendar month (UTC). Undefined without a budget. */
  spentOf(key: Key): Promise<{ day: Micros; month: Micros } | undefined>
  /**
   * The new key does not outlive the calling key, otherwise temporary access could be made permanent. `text` is the key itself.
   * It is returned only here, and not stored. If the same request has created a key before (`once`), throws `invalid_request`
   * with the id of that key.
   */
  create(by: Caller, key: NewAccountKey, once?: IdempotentCreate): Promise<{ key: Key; text: string }>
  /** Replaces all settings. `expiresInDays`: of a run link, from now. Without it, the expiry stays. */
  update(by: Caller, id: string, change: KeySettings & { expiresInDays?: number | undefined }): Promise<Key>
  /** Revokes the key now. A key that is not valid is left as it is. */
  revoke(accountId: string, id: string): Promise<Key>
  /** A new key with the same name, permissions, expiry and budgets. The old key expires after `overlapSeconds`. */
  rotate(
    by: Caller,
    id: string,
    overlapSeconds: number,
    once?: IdempotentCreate,
  ): Promise<{ key: Key; text: string; replaced: Key }>
}

export interface NewAccountKey extends NewRunLink, Partial<KeySettings> {
  permissions?: Grant[]
  expiresInDays?: number
  /** A test key. Default: a live key. */
  isTest?: boolean
}

interface Dependencies {
  keys: KeyStore
  calls: Pick<ProviderCallStore, 'spentOf'>
  runLinks: RunLinkChecks
  clock: Clock
}

const dayMs = 86_400_000
const bounds = {}

export function createAccountKeys({ keys, calls, runLinks, clock }: Dependencies): AccountKeys {
  async function find(accountId: string, id: string): Promise<Key> {
    const key = await keys.find(id)
    if (key?.accountId !== accountId) throw notFound('key', id)
    return key
  }

  return {
    find,
    list: (accountId, page, workflowId) => keys.listPage(accountId, page, workflowId),

    async spentOf(key) {
      if (!hasBudget(key)) return undefined
      const today = timestamp(clock.now()).slice(0, 10)
      const spentIn = async (period: string) => {
        const { spentMicros, reservedMicros } = await calls.spentOf(key.budgetId, period)
        return spentMicros + reservedMicros
      }
      const [day, month] = await Promise.all([spentIn(today), spentIn(today.slice(0, 7))])
      return { day, month }
    },

    async create(by, { expiresInDays, ...about }, once) {
      refuseAgain(once)
      refuseWithBudget(by)
      const accountId = by.account.id
      const checked = await runLinks.create(accountId, about)
      const now = clock.now()
      const expiresAt = expiresInDays === undefined ? defaultExpiry(checked, now) : now + expiresInDays * dayMs
      refuseToOutlive(by, expiresAt, 'expiresInDays')
      const created = newKey({ ...checked, accountId, expiresAt }, now)
      await keys.create(created.key, bounds, once?.record)
      return created
    },

    async update(by, id, { expiresInDays, ...settings }) {
      refuseWithBudget(by)
      const key = await find(by.account.id, id)
      const now = clock.now()
      const expiresAt = expiresInDays === undefined ? undefined : now + expiresInDays * dayMs
      if (expiresAt !== undefined) refuseToOutlive(by, expiresAt, 'expiresInDays')
      await keys.update(id, await runLinks.update(key, { ...settings, expiresAt }, now))
      return find(by.account.id, id)
    },

    async revoke(accountId, id) {
      await find(accountId, id)
      await keys.revoke(id, clock.now())
      return find(accountId, id)
    },

    async rotate(by, id, overlapSeconds, once) {
      refuseAgain(once)
      refuseWithBudget(by)
      const accountId = by.account.id
      const old = await find(accountId, id)
      refuseToOutlive(by, old.expiresAt, 'keyId')
      const now = clock.now()
      const created = newKey({ ...old, accountId, isTest: isTestKey(old) }, now)
      const until = now + overlapSeconds * 1_000
      if (!(await keys.replace(id, until, created.key, bounds, once?.record))) throw notLive()
      return { ...created, replaced: await find(accountId, id) }
    },
  }
}

/** The text of the key is not stored, so the same response can't be sent again, and the caller doesn't want a second key. */
function refuseAgain(once: IdempotentCreate | undefined): void {
  if (once?.createdId === undefined) return
  const message = `was already used to create the key "${once.createdId}", which is shown only once. Rotate that key, or send another Idempotency-Key.`
  throw invalidRequest([{ path: 'Idempotency-Key', message }])
}

/** A key could avoid its budget with a key that has none. */
export function refuseWithBudget({ key: by }: Caller): void {
  if (!hasBudget(by)) return
  const message = 'An API key with a budget cannot create, change or rotate keys. Use a key without a budget.'
  throw new Fault('forbidden', message)
}

function refuseToOutlive({ key: by }: Caller, expiresAt: number | null, path: string): void {
  if (by.expiresAt === null || (expiresAt !== null && expiresAt <= by.expiresAt)) return
  const message = `must not be after ${timestamp(by.expiresAt)}, when the key of this request expires. Set an earlier time, or use another key.`
  throw invalidRequest([{ path, message }])
}

function notLive(): Fault {
  const message = 'is the id of a key that is revoked or expired. Create another key.'
  return invalidRequest([{ path: 'keyId', message }])
}
