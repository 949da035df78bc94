/** Schemas of webhook endpoints and their secrets. */
import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { storableText } from '../../../domain/storable-text.ts'
import { disabledReasons, webhookTypes } from '../../../domain/webhooks/webhook.ts'
import { limits } from '../../../limits.ts'
import { closed } from '../../define-route.ts'
import { Timestamp } from '../schema.ts'

const EventTypes = Type.Array(Type.Enum(webhookTypes), {
  minItems: 1,
  maxItems: webhookTypes.length,
  description: 'Types of events to send. Default: all types, also those of later versions. Duplicates are removed.',
})

export const EndpointBody = Type.Object(
  {
    url: Type.String({
      ...storableText,
      minLength: 1,
      maxLength: limits.webhookUrlCharsMax,
      description: 'URL of the receiver. Must start with `https://`, unless the operator allows the host.',
    }),
    description: Type.Optional(Type.String({ ...storableText, maxLength: limits.descriptionCharsMax })),
    eventTypes: Type.Optional(EventTypes),
    disabled: Type.Optional(Type.Boolean({ description: 'Whether nothing is sent. Default: false.' })),
  },
  {
    ...closed,
    ...named('WebhookEndpointInput'),
    examples: [
      { url: 'https://example.com/webhooks/tintype', eventTypes: ['execution.completed', 'execution.failed'] },
    ],
  },
)

const endpoint = {
  id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  eventTypes: Type.Optional(Type.Array(Type.Enum(webhookTypes), { description: 'Absent if all types are sent.' })),
  disabled: Type.Boolean(),
  disabledAt: Type.Optional(Timestamp),
  disabledReason: Type.Optional(
    Type.Enum([...disabledReasons], {
      description: `\`gone\`: the receiver returned 410. \`failing\`: no delivery succeeded for ${limits.webhookFailingSeconds / 86_400} days. \`backlog\`: more than ${limits.webhookDeliveriesWaitingMax} deliveries were waiting. \`caller\`: by a request.`,
    }),
  ),
  failingSince: Type.Optional(
    Type.String({ format: 'date-time', description: 'The first failed attempt since the last successful delivery.' }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

export const EndpointRecord = Type.Object(endpoint, named('WebhookEndpoint'))

const secret = {
  secret: Type.String({ description: 'Signs webhooks: `whsec_` and base64, as in Standard Webhooks.' }),
  previousSecretUntil: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'After a rotation: until then, webhooks have a signature of the old secret, too.',
    }),
  ),
}

export const NewEndpointRecord = Type.Object({ ...endpoint, ...secret }, named('NewWebhookEndpoint'))

export const SecretRecord = Type.Object(secret, named('WebhookSecret'))

/** Same default as for API keys: time to distribute the new secret. */
export const overlapSecondsDefault = 86_400

export const RotateBody = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.webhookSecretOverlapSecondsMax,
        description: `Seconds for which webhooks have signatures of both secrets. Default: ${overlapSecondsDefault} (one day). Must be 0 as long as the secret before still signs: it ends both.`,
      }),
    ),
  },
  closed,
)

/** `webhookUrl` of requests that start an execution. */
export const webhookUrlField = Type.String({
  ...storableText,
  minLength: 1,
  maxLength: limits.webhookUrlCharsMax,
  description:
    'Send the event `execution.completed` or `execution.failed` of this execution to this URL, in addition to the webhook endpoints of the account. It is signed with the secret of `GET /webhook-secret`.',
})
