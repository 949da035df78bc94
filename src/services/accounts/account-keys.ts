/** Management of an account's own keys. Keys of other accounts are not found. */

import type { Caller, Grant, Key, KeyStore } from '../../domain/accounts/key.ts'
import { type Clock, timestamp } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { type Fault, invalidRequest, notFound } from '../../errors.ts'
import { newKey } from './keys.ts'

export interface AccountKeys {
  find(accountId: string, id: string): Promise<Key>
  list(accountId: string, page: PageRequest): Promise<CountedPage<Key>>
  /**
   * The new key does not outlive the calling key, otherwise temporary access could be made permanent. `text` is the key itself.
   * It is returned only here, and not stored. If the same request has created a key before (`once`), throws `invalid_request`
   * with the id of that key.
   */
  create(by: Caller, key: NewAccountKey, once?: IdempotentCreate): Promise<{ key: Key; text: string }>
  /** Revokes the key now. A key that is not valid is left as it is. */
  revoke(accountId: string, id: string): Promise<Key>
  /** A new key with the same name, permissions and expiry. The old key expires after `overlapSeconds`. */
  rotate(
    by: Caller,
    id: string,
    overlapSeconds: number,
    once?: IdempotentCreate,
  ): Promise<{ key: Key; text: string; replaced: Key }>
}

export interface NewAccountKey {
  name?: string
  permissions?: Grant[]
  expiresInDays?: number
}

interface Dependencies {
  keys: KeyStore
  clock: Clock
}

const dayMs = 86_400_000
const bounds = {}

export function createAccountKeys({ keys, clock }: Dependencies): AccountKeys {
  async function find(accountId: string, id: string): Promise<Key> {
    const key = await keys.find(id)
    if (key?.accountId !== accountId) throw notFound('key', id)
    return key
  }

  return {
    find,
    list: (accountId, page) => keys.listPage(accountId, page),

    async create(by, { expiresInDays, ...about }, once) {
      refuseAgain(once)
      const accountId = by.account.id
      const now = clock.now()
      const expiresAt = expiresInDays === undefined ? null : now + expiresInDays * dayMs
      refuseToOutlive(by, expiresAt, 'expiresInDays')
      const created = newKey({ ...about, accountId, expiresAt }, now)
      await keys.create(created.key, bounds, once?.record)
      return created
    },

    async revoke(accountId, id) {
      await find(accountId, id)
      await keys.revoke(id, clock.now())
      return find(accountId, id)
    },

    async rotate(by, id, overlapSeconds, once) {
      refuseAgain(once)
      const accountId = by.account.id
      const old = await find(accountId, id)
      refuseToOutlive(by, old.expiresAt, 'keyId')
      const now = clock.now()
      const created = newKey({ ...old, accountId }, now)
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

function refuseToOutlive({ key: by }: Caller, expiresAt: number | null, path: string): void {
  if (by.expiresAt === null || (expiresAt !== null && expiresAt <= by.expiresAt)) return
  const message = `must not be after ${timestamp(by.expiresAt)}, when the key of this request expires. Set an earlier time, or use another key.`
  throw invalidRequest([{ path, message }])
}

function notLive(): Fault {
  const message = 'is the id of a key that is revoked or expired. Create another key.'
  return invalidRequest([{ path: 'keyId', message }])
}
