/** Signing keys: secrets for delivery URLs. They never authenticate requests to the API. */

import type { KeyBounds } from '../accounts/key.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import { randomBase62 } from '../ids.ts'
import type { Micros } from '../models/model.ts'
import type { CountedPage, PageRequest } from '../page.ts'

export interface SigningKey {
  /** The `kid` of URLs. */
  id: string
  accountId: string
  name: string
  /** Stored as it is: an HMAC needs it. Shown once. */
  secret: string
  /** The workflows whose URLs it signs; null for all workflows of the account. */
  workflowIds: string[] | null
  /** Whether it signs URLs of stored images. */
  images: boolean
  /** The most that executions by its URLs may spend on models in a calendar month (UTC). Null: its URLs run nothing that costs money. */
  monthlyBudget: Micros | null
  /** The budget that it shares with the keys that it replaced: the id of the first of them. */
  budgetId: string
  createdAt: number
  expiresAt: number | null
  /** End of the key; in the future if the key was rotated and is still valid. */
  revokedAt: number | null
  lastUsedAt: number | null
}

/** The settings that can be changed. */
export type SigningKeySettings = Pick<SigningKey, 'name' | 'workflowIds' | 'images' | 'monthlyBudget'>

export interface SigningKeyStore {
  /** Throws `QuotaReached` if the account has the maximum of valid keys. With `record`: see `KeyTaken`. */
  create(key: SigningKey, bounds: KeyBounds, record?: NewIdempotencyRecord): Promise<void>
  /**
   * Creates a key, and ends the valid key `oldId` at `until` in the same transaction, unless it ends before. False,
   * with nothing written, if the old key was revoked or has expired.
   */
  replace(
    oldId: string,
    until: number,
    key: SigningKey,
    bounds: KeyBounds,
    record?: NewIdempotencyRecord,
  ): Promise<boolean>
  find(accountId: string, id: string): Promise<SigningKey | undefined>
  /** Newest first. */
  list(accountId: string, page: PageRequest): Promise<CountedPage<SigningKey>>
  /** False if the account has no such key. */
  update(accountId: string, id: string, settings: SigningKeySettings): Promise<boolean>
  /** Revokes the key at this time. A key that was revoked before stays as it is. */
  revoke(accountId: string, id: string, at: number): Promise<void>
  /** Notes that a URL with the key was used. */
  touch(id: string, now: number): Promise<void>
}

/** `tt_sign_` and 43 characters of base62 (256 bits). The entire text is the key of the HMAC. */
export function newSigningSecret(): string {
  return `tt_sign_${randomBase62(43)}`
}
