/** Schemas of API keys. */
import Type from 'typebox'
import { grants, keyPrefixChars } from '../../../domain/accounts/key.ts'
import { nameText } from '../../../domain/name-text.ts'
import { named } from '../../../domain/named-schema.ts'
import { id, Timestamp } from '../schema.ts'

export const KeyParams = Type.Object({ keyId: id('The id of the key, not the key itself.') })

function budget(period: string) {
  const description = `The most that executions of the key can spend on AI models in a ${period} (UTC), in US dollars. With 0, it can execute only what costs nothing. Default: no limit of the key.`
  return Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }))
}

/** The settings in a request. */
export const settingFields = {
  name: Type.Optional(Type.String(nameText)),
  dailyBudgetUsd: budget('day'),
  monthlyBudgetUsd: budget('calendar month'),
}

const absent = 'Absent if the key has no budget.'

const key = {
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({
    description: `The first ${keyPrefixChars} characters of the key.`,
  }),
  permissions: Type.Array(Type.Enum(grants)),
  dailyBudgetUsd: Type.Optional(Type.Number({ description: 'Absent without a limit of the key.' })),
  monthlyBudgetUsd: Type.Optional(Type.Number({ description: 'Absent without a limit of the key.' })),
  spentTodayUsd: Type.Optional(
    Type.Number({ description: `Spent and reserved on this day (UTC), with the keys that it replaced. ${absent}` }),
  ),
  spentThisMonthUsd: Type.Optional(
    Type.Number({
      description: `Spent and reserved in this calendar month (UTC), with the keys that it replaced. ${absent}`,
    }),
  ),
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
  test: Type.Optional(
    Type.Literal(true, {
      description: 'A test key: its executions are free, call no AI provider and have marked outputs.',
    }),
  ),
  current: Type.Boolean({ description: 'Whether this request used the key.' }),
}

export const KeyRecord = Type.Object(key, named('ApiKey'))

const text = Type.String({ description: 'The full key. Returned only in this response, and not stored.' })

export const NewKeyRecord = Type.Object({ ...key, key: text }, named('NewApiKey'))

export const RotatedKeyRecord = Type.Object({ ...key, key: text, replaced: KeyRecord }, named('RotatedApiKey'))
