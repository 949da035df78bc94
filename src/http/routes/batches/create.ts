import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { channelField, id, versionField } from '../schema.ts'
import { webhookUrlField } from '../webhook-endpoints/schema.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, maxUsdField, nameField } from './schema.ts'

export const createBatch = defineRoute({
  id: 'batches.create',
  method: 'POST',
  path: '/batches',
  summary: 'Create a batch',
  description:
    'A batch executes one workflow for many rows of parameters. Create it, upload the rows with `PUT /batches/{batchId}/items`, then start it. All rows run one version, also if the workflow or the channel changes later.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  body: Type.Object(
    {
      workflowId: id('The id or the slug of the workflow.'),
      version: Type.Optional(versionField('The version that all rows run. Default: the newest version.')),
      channel: Type.Optional(
        channelField('The channel whose current version all rows run, such as `live`. Not together with `version`.'),
      ),
      name: Type.Optional(nameField),
      defaults: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: `Parameters of every row without its own value. At most ${limits.batchDefaultsBytesMax} bytes as JSON.`,
        }),
      ),
      maxUsd: Type.Optional(maxUsdField),
      webhookUrl: Type.Optional(
        Type.String({
          ...webhookUrlField,
          description:
            'Send the event `batch.completed` to this URL, in addition to the webhook endpoints of the account. It is signed with the secret of `GET /webhook-secret`.',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 201,
    description: 'The batch was created.',
    schema: BatchRecord,
    headers: { Location: 'URL of the batch.' },
  },
  errors: ['not_found'],
  async handle({ body, caller, once }, { batches, clock, baseUrl }) {
    const batch = await batches.create({ accountId: caller.account.id, keyId: caller.key.id }, body, once)
    const location = `${baseUrl()}/batches/${batch.id}`
    return { status: 201, headers: { location }, body: batchRecord(batch, clock) }
  },
})
