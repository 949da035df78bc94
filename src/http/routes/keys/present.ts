/** Converts API keys to response bodies, without the hash. */

import { type Caller, isTestKey, type Key, type KeySettings } from '../../../domain/accounts/key.ts'
import { timestamp } from '../../../domain/clock.ts'
import { dollars, microsOrNull } from '../../../domain/money.ts'
import type { AccountKeys } from '../../../services/accounts/account-keys.ts'
import type { Services } from '../../services.ts'

export async function keyRecord(key: Key, caller: Caller, accountKeys: Pick<AccountKeys, 'spentOf'>) {
  const { id, name, prefix, permissions, dailyBudget, monthlyBudget, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const { workflowId, executionsPerMinute, exampleImageId } = key
  const spent = await accountKeys.spentOf(key)
  return {
    id,
    name,
    prefix,
    permissions,
    ...(dailyBudget === null ? {} : { dailyBudgetUsd: dollars(dailyBudget) }),
    ...(monthlyBudget === null ? {} : { monthlyBudgetUsd: dollars(monthlyBudget) }),
    ...(spent && { spentTodayUsd: dollars(spent.day), spentThisMonthUsd: dollars(spent.month) }),
    ...(workflowId === null ? {} : { workflowId }),
    ...(executionsPerMinute === null ? {} : { executionsPerMinute }),
    ...(exampleImageId === null ? {} : { exampleImageId }),
    createdAt: timestamp(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: timestamp(expiresAt) }),
    ...(revokedAt === null ? {} : { revokedAt: timestamp(revokedAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: timestamp(lastUsedAt) }),
    ...(isTestKey(key) ? { test: true as const } : {}),
    current: id === caller.key.id,
  }
}

/** The fields of a response with the full key. */
export function secretFields(
  { workflowId }: Key,
  text: string,
  { baseUrl, hasConsole }: Pick<Services, 'baseUrl' | 'hasConsole'>,
) {
  if (workflowId === null || !hasConsole) return { key: text }
  return { key: text, runUrl: `${baseUrl().replace(/\/v1$/, '')}/run/#${text}` }
}

/** The request with whole micro-dollars. */
export function settingsOf({
  name = '',
  executionsPerMinute = null,
  exampleImageId = null,
  ...body
}: SettingsBody): KeySettings {
  const { dailyBudgetUsd, monthlyBudgetUsd } = body
  const budgets = { dailyBudget: microsOrNull(dailyBudgetUsd), monthlyBudget: microsOrNull(monthlyBudgetUsd) }
  return { name, ...budgets, executionsPerMinute, exampleImageId }
}

interface SettingsBody {
  name?: string
  dailyBudgetUsd?: number
  monthlyBudgetUsd?: number
  executionsPerMinute?: number | null
  exampleImageId?: string | null
}

/** Headers of a response with a full key: caches must not store it. */
export const noStore = { 'cache-control': 'no-store' }
