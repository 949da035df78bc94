/** Schemas of signing keys. */
import Type from 'typebox'
import { nameText } from '../../../domain/name-text.ts'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { id, Timestamp } from '../schema.ts'

export const SigningKeyParams = Type.Object({ keyId: id('The id of the signing key: the `kid` of its URLs.') })

/** The settings in a request. */
export const settingFields = {
  name: Type.Optional(Type.String(nameText)),
  workflows: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: limits.signingKeyWorkflowsMax,
      description:
        'The ids or slugs of the workflows whose URLs the key signs. Default: all workflows of the account that allow delivery URLs. Duplicates are removed.',
    }),
  ),
  images: Type.Optional(
    Type.Boolean({
      description:
        'Whether the key signs URLs of all images of the account, also of private images. Default: true without `workflows`, otherwise false.',
    }),
  ),
  monthlyBudgetUsd: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description:
        'The most that executions by URLs of the key can spend on AI models in a calendar month (UTC), in US dollars. Default: 0. Workflows with `delivery.paid` require more than 0.',
    }),
  ),
}

const key = {
  id: Type.String({ description: 'The `kid` of URLs.' }),
  name: Type.String(),
  workflows: Type.Optional(Type.Array(Type.String(), { description: 'Ids. Absent for all workflows.' })),
  images: Type.Boolean(),
  monthlyBudgetUsd: Type.Number(),
  spentUsd: Type.Optional(
    Type.Number({ description: 'Spent and reserved in this calendar month (UTC). Absent without a budget.' }),
  ),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  revokedAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'ISO 8601, UTC. In the future if the key was rotated and its URLs are still valid.',
    }),
  ),
  lastUsedAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'ISO 8601, UTC. Updated at most once a minute.' }),
  ),
}

export const SigningKeyRecord = Type.Object(key, named('SigningKey'))

const secret = Type.String({ description: 'The secret. Returned only in this response.' })

export const NewSigningKeyRecord = Type.Object({ ...key, secret }, named('NewSigningKey'))

export const RotatedSigningKeyRecord = Type.Object(
  { ...key, secret, replaced: SigningKeyRecord },
  named('RotatedSigningKey'),
)
