/** Converts signing keys to response bodies, without the secret. */
import { timestamp } from '../../../domain/clock.ts'
import type { SigningKey } from '../../../domain/delivery/signing-key.ts'
import { dollars, micros } from '../../../domain/money.ts'
import type { SigningKeys } from '../../../services/delivery/signing-keys.ts'

export async function signingKeyRecord(key: SigningKey, signingKeys: Pick<SigningKeys, 'spentOf'>) {
  const { id, name, workflowIds, images, monthlyBudget, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const spent = await signingKeys.spentOf(key)
  return {
    id,
    name,
    ...(workflowIds === null ? {} : { workflows: workflowIds }),
    images,
    monthlyBudgetUsd: dollars(monthlyBudget ?? 0),
    ...(spent === undefined ? {} : { spentUsd: dollars(spent) }),
    createdAt: timestamp(createdAt),
    ...(expiresAt === null ? {} : { expiresAt: timestamp(expiresAt) }),
    ...(revokedAt === null ? {} : { revokedAt: timestamp(revokedAt) }),
    ...(lastUsedAt === null ? {} : { lastUsedAt: timestamp(lastUsedAt) }),
  }
}

/** The request with whole micro-dollars. */
export function settingsOf<Body extends { monthlyBudgetUsd?: number }>({ monthlyBudgetUsd, ...body }: Body) {
  return { ...body, monthlyBudget: micros(monthlyBudgetUsd ?? 0) }
}
