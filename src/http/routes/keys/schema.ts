/** Schemas of API keys. */
import Type from 'typebox'
import { grants, keyPrefixChars } from '../../../domain/key.ts'
import { closed } from '../../define-route.ts'
import { Timestamp } from '../schema.ts'

const key = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({
    description: `The first ${keyPrefixChars} characters of the key: all that is ever shown again.`,
  }),
  permissions: Type.Array(Type.Enum(grants)),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ISO 8601, UTC. In the future where it was rotated and still holds.',
    }),
  ),
  lastUsedAt: Type.Optional(Type.String({ format: 'date-time', description: 'ISO 8601, UTC; up to a minute behind.' })),
  current: Type.Boolean({ description: 'Whether it is the key of this request.' }),
}

export const KeyRecord = Type.Object(key, closed)

const text = Type.String({ description: 'The key itself: shown this once, and kept nowhere.' })

export const NewKeyRecord = Type.Object({ ...key, key: text }, closed)

export const RotatedKeyRecord = Type.Object({ ...key, key: text, replaced: KeyRecord }, closed)
