/** Schemas of API keys. */
import Type from 'typebox'
import { grants, keyPrefixChars } from '../../../domain/accounts/key.ts'
import { nameText } from '../../../domain/name-text.ts'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { id, Timestamp } from '../schema.ts'

export const KeyParams = Type.Object({ keyId: id('The id of the key, not the key itself.') })

function budget(period: string) {
  const description = `The most that executions of the key can spend on AI models in a ${period} (UTC), in US dollars. With 0, it can execute only what costs nothing. Default: no limit of the key. A run link without any budget gets a daily budget of 0.`
  return Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description }))
}

const executionsPerMinuteField = Type.Integer({
  minimum: 1,
  maximum: limits.runLinkExecutionsPerMinuteMax,
  description: `Only for a run link: the most executions that it starts per minute, by all people with the link. Default: ${limits.runLinkExecutionsPerMinuteDefault}.`,
})

/** The settings in a request. */
export const settingFields = {
  name: Type.Optional(Type.String(nameText)),
  dailyBudgetUsd: budget('day'),
  monthlyBudgetUsd: budget('calendar month'),
  executionsPerMinute: Type.Optional(executionsPerMinuteField),
  exampleImageId: Type.Optional(
    id('Only for a run link: the image that its page shows first. Anyone with the link can see it. Default: none.'),
  ),
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
  workflowId: Type.Optional(Type.String({ description: 'The workflow that a run link runs. Absent for other keys.' })),
  executionsPerMinute: Type.Optional(
    Type.Integer({ description: 'The most executions that a run link starts per minute. Absent for other keys.' }),
  ),
  exampleImageId: Type.Optional(
    Type.String({ description: 'The image that the page of a run link shows first. Absent without one.' }),
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

const runUrl = Type.Optional(
  Type.String({
    description:
      'The run link: the page at which anyone can run the workflow. The key is in the fragment, which browsers send to no server. Absent for other keys, and if the service has no console.',
  }),
)

export const NewKeyRecord = Type.Object({ ...key, key: text, runUrl }, named('NewApiKey'))

export const RotatedKeyRecord = Type.Object({ ...key, key: text, runUrl, replaced: KeyRecord }, named('RotatedApiKey'))
