/** Converts API keys to response bodies, without the hash. */

import { type Caller, isTestKey, type Key, type KeySettings } from '../../../domain/accounts/key.ts'
import { timestamp } from '../../../domain/clock.ts'
import { dollars, microsOrNull } from '../../../domain/money.ts'
import type { AccountKeys } from '../../../services/accounts/account-keys.ts'

export async function keyRecord(key: Key, caller: Caller, accountKeys: Pick<AccountKeys, 'spentOf'>) {
  const { id, name, prefix, permissions, dailyBudget, monthlyBudget, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const spent = await accountKeys.spentOf(key)
  return {
    id,
    name,
    prefix,
    permissions,
    ...(dailyBudget === null ? {} : { dailyBudgetUsd: dollars(dailyBudget) }),
    ...(monthlyBudget === null ? {} : { monthlyBudgetUsd: dollars(monthlyBudget) }),
    ...(spent && { spentTodayUsd: dollars(spent.day), spentThisMonthUsd: dollars(spent.month) }),
    createdAt: timestamp(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: timestamp(expiresAt) }),
    ...(revokedAt === null ? {} : { revokedAt: timestamp(revokedAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: timestamp(lastUsedAt) }),
    ...(isTestKey(key) ? { test: true as const } : {}),
    current: id === caller.key.id,
  }
}

/** The request with whole micro-dollars. */
export function settingsOf({ name = '', dailyBudgetUsd, monthlyBudgetUsd }: SettingsBody): KeySettings {
  return { name, dailyBudget: microsOrNull(dailyBudgetUsd), monthlyBudget: microsOrNull(monthlyBudgetUsd) }
}

interface SettingsBody {
  name?: string
  dailyBudgetUsd?: number
  monthlyBudgetUsd?: number
}

/** Headers of a response with a full key: caches must not store it. */
export const noStore = { 'cache-control': 'no-store' }
