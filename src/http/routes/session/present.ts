/** Converts the session to response bodies. */
import type { Static } from 'typebox'
import { testField } from '../../../domain/accounts/twin.ts'
import { timestamp } from '../../../domain/clock.ts'
import type { SignedIn } from '../../../services/accounts/sessions.ts'
import type { Session } from './schema.ts'

export function sessionRecord({ account, key }: SignedIn, docsUrl: string | undefined): Static<typeof Session> {
  const { id, name, prefix, permissions, expiresAt } = key
  return {
    account: { id: account.id, name: account.name, plan: account.plan },
    key: {
      id,
      name,
      prefix,
      permissions,
      ...(expiresAt !== null && { expiresAt: timestamp(expiresAt) }),
      ...testField(account.id),
    },
    ...(docsUrl !== undefined && { docsUrl }),
  }
}
