import { defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { secretRecord } from '../webhook-endpoints/present.ts'
import { overlapSecondsDefault, RotateBody, SecretRecord } from '../webhook-endpoints/schema.ts'

export const rotateWebhookSecret = defineRoute({
  id: 'webhookSecret.rotate',
  method: 'POST',
  path: '/webhook-secret/rotate',
  summary: 'Rotate the secret for webhook URLs of executions',
  description: 'For `overlapSeconds`, webhooks have signatures of both secrets.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  showsSecret: 'again',
  body: RotateBody,
  reply: { status: 200, description: 'The new secret.', schema: SecretRecord },
  async handle({ body, caller, once }, { webhooks }) {
    const { overlapSeconds = overlapSecondsDefault } = body
    const secret = await webhooks.rotateAccountSecret(caller.account.id, overlapSeconds, once)
    return { headers: noStore, body: secretRecord(secret) }
  },
})
