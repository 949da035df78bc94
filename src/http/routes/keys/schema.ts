/** Schemas of API keys. */
import Type from 'typebox'
import { grants, keyPrefixChars } from '../../../domain/accounts/key.ts'
import { named } from '../../../domain/named-schema.ts'
import { Timestamp } from '../schema.ts'

const key = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({
    description: `The first ${keyPrefixChars} characters of the key.`,
  }),
  permissions: Type.Array(Type.Enum(grants)),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ISO 8601, UTC. In the future if the key was rotated and is still active.',
    }),
  ),
  lastUsedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601, UTC. Updated at most once a minute.' }),
  ),
  current: Type.Boolean({ description: 'Whether this request used the key.' }),
}

export const KeyRecord = Type.Object(key, named('ApiKey'))

const text = Type.String({ description: 'The full key. Returned only in this response, and not stored.' })

export const NewKeyRecord = Type.Object({ ...key, key: text }, named('NewApiKey'))

export const RotatedKeyRecord = Type.Object({ ...key, key: text, replaced: KeyRecord }, named('RotatedApiKey'))
