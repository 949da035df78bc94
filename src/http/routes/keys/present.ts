/** Converts API keys to response bodies, without the hash. */

import type { Caller, Key } from '../../../domain/accounts/key.ts'
import { timestamp } from '../../../domain/clock.ts'

export function keyRecord(key: Key, caller: Caller) {
  const { id, name, prefix, permissions, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return {
    id,
    name,
    prefix,
    permissions,
    createdAt: timestamp(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: timestamp(expiresAt) }),
    ...(revokedAt === null ? {} : { revokedAt: timestamp(revokedAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: timestamp(lastUsedAt) }),
    current: id === caller.key.id,
  }
}

/** Headers of a response with a full key: caches must not store it. */
export const noStore = { 'cache-control': 'no-store' }
