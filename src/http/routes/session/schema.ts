/** Who is signed in, as replies carry it. */
import Type, { type Static } from 'typebox'
import { timestamp } from '../../../domain/clock.ts'
import { grants } from '../../../domain/key.ts'
import { planNames } from '../../../domain/plan.ts'
import type { SignedIn } from '../../../services/sessions.ts'
import { Timestamp } from '../schema.ts'

const closed = { additionalProperties: false }

export const Session = Type.Object(
  {
    account: Type.Object({ id: Type.String(), name: Type.String(), plan: Type.Enum(planNames) }, closed),
    key: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        prefix: Type.String({ description: 'The first characters of the key.' }),
        permissions: Type.Array(Type.Enum(grants)),
        expiresAt: Type.Optional(Timestamp),
      },
      closed,
    ),
  },
  closed,
)

export function sessionRecord({ account, key }: SignedIn): Static<typeof Session> {
  const { id, name, prefix, permissions, expiresAt } = key
  return {
    account: { id: account.id, name: account.name, plan: account.plan },
    key: { id, name, prefix, permissions, ...(expiresAt !== null && { expiresAt: timestamp(expiresAt) }) },
  }
}
