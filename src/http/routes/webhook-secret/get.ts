import { defineRoute } from '../../define-route.ts'
import { noStore } from '../keys/present.ts'
import { secretRecord } from '../webhook-endpoints/present.ts'
import { SecretRecord } from '../webhook-endpoints/schema.ts'

export const getWebhookSecret = defineRoute({
  id: 'webhookSecret.get',
  method: 'GET',
  path: '/webhook-secret',
  summary: 'Get the secret for webhook URLs of executions',
  description: 'Signs the webhooks to the `webhookUrl` of an execution. Each webhook endpoint has its own secret.',
  tag: 'Webhooks',
  permission: ['webhooks:write'],
  reply: { status: 200, description: 'The secret.', schema: SecretRecord },
  async handle({ caller }, { webhooks }) {
    return { headers: noStore, body: secretRecord(await webhooks.accountSecret(caller.account.id)) }
  },
})
