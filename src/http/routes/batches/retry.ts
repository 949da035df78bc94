import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { batchRecord } from './present.ts'
import { BatchRecord, batchParams } from './schema.ts'

export const retryBatch = defineRoute({
  id: 'batches.retry',
  method: 'POST',
  path: '/batches/{batchId}/retry',
  summary: 'Retry rows that failed or were cancelled',
  description:
    'Each of these rows gets a new execution, which resumes the failed one: completed steps do not run again. A completed batch continues; a paused one stays paused. With an empty body `{}`, all of these rows are retried.',
  tag: 'Batches',
  permission: ['workflows:execute'],
  params: batchParams,
  body: Type.Object(
    {
      keys: Type.Optional(
        Type.Array(Type.String({ maxLength: limits.batchKeyCharsMax }), {
          minItems: 1,
          maxItems: limits.batchRetryKeysMax,
          description: 'Retry only the rows with these keys. Default: all.',
        }),
      ),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The rows wait for their execution.',
    schema: Type.Object(
      { batch: BatchRecord, retried: Type.Integer({ description: 'Number of rows.' }) },
      named('RetriedBatch'),
    ),
  },
  errors: ['not_found'],
  async handle({ params, body, caller }, { batchItems, clock }) {
    const { batch, retried } = await batchItems.retry(caller.account.id, params.batchId, body.keys)
    return { body: { batch: batchRecord(batch, clock), retried } }
  },
})
