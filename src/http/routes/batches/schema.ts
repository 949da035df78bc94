/** Schemas of batches, their rows and events. */
import Type from 'typebox'
import { batchStatuses, pauseReasons } from '../../../domain/batches/batch.ts'
import { batchItemStatuses } from '../../../domain/batches/batch-item.ts'
import { nameText } from '../../../domain/name-text.ts'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { ExecutionCost, executionFields, UsedBrand } from '../executions/schema.ts'
import { id, Timestamp, testSchema } from '../schema.ts'
import { CostRange } from '../workflows/schema.ts'

export const batchParams = Type.Object({ batchId: id('The id of the batch.') })
export const itemParams = Type.Object({
  batchId: id('The id of the batch.'),
  key: Type.String({ description: 'The key of the row.' }),
})

export const nameField = Type.String({
  ...nameText,
  minLength: 1,
  description: 'Name of the batch. Default: the name of the workflow.',
})

const usd = { minimum: 0, maximum: 1_000_000 }

export const maxUsdField = Type.Number({
  ...usd,
  description:
    'The most that the AI model calls of the batch may cost in US dollars. The batch is paused before a call that could exceed it.',
})

export const nullableMaxUsd = Type.Union([Type.Number(usd), Type.Null()], {
  description: 'As in `POST /batches`. Null removes the limit.',
})

export const itemStatusField = Type.Enum([...batchItemStatuses], { description: 'Return only rows with this status.' })

export const BatchRows = Type.Array(
  Type.Object(
    {
      key: Type.Optional(
        Type.Union([Type.String(), Type.Integer(), Type.Null()], {
          description: 'Identifies the row in the results, unique in the batch. Default: the number of the row.',
        }),
      ),
    },
    {
      ...named('BatchRow'),
      additionalProperties: true,
      description: 'The values of a row by parameter name. Null passes no value.',
    },
  ),
)

export const BatchRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: Type.Enum([...batchStatuses], {
      description:
        '`created`: rows can be uploaded. `completed`: every row has ended, completed or failed. `cancelled`: rows that had not ended are cancelled.',
    }),
    pauseReason: Type.Optional(
      Type.Enum([...pauseReasons], {
        description:
          'Why it is paused. `budget`: a model call could have exceeded `maxUsd`. Increase it, then resume the batch. `storage`: the account stores its maximum of bytes. Delete images, then resume the batch. `quota`: the account has its maximum of images, or of executions in this month: see `quotas` of `GET /usage`. `suspended`: the account had no API access. Resume the batch.',
      }),
    ),
    uploading: Type.Boolean({ description: 'Whether rows are being uploaded.' }),
    workflowId: Type.String(),
    workflowVersion: Type.Integer({
      description: 'The version that all rows run, chosen when the batch was created.',
    }),
    defaults: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Parameters of every row without its own value.',
    }),
    brand: Type.Optional(UsedBrand),
    maxUsd: Type.Optional(Type.Number({ description: 'The limit of the cost of AI model calls.' })),
    counts: Type.Object(
      {
        total: Type.Integer({ description: 'Number of rows.' }),
        pending: Type.Integer(),
        running: Type.Integer(),
        completed: Type.Integer(),
        failed: Type.Integer(),
        cancelled: Type.Integer(),
      },
      { ...named('BatchCounts'), description: 'Number of rows by status.' },
    ),
    cost: Type.Optional(ExecutionCost),
    createdAt: Timestamp,
    startedAt: Type.Optional(Timestamp),
    completedAt: Type.Optional(Timestamp),
    expectedCompletionAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the last row will have ended, at the rate since the batch was started or continued. Absent until a row has ended.',
      }),
    ),
    test: testSchema,
  },
  named('Batch'),
)

const { output, outputs, error } = executionFields

export const BatchItemRecord = Type.Object(
  {
    key: Type.String({ description: 'Identifies the row in the batch.' }),
    row: Type.Integer({ description: 'Number of the row in the file, from 1.' }),
    status: Type.Enum([...batchItemStatuses]),
    parameters: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The values of the row, without the defaults of the batch.',
    }),
    executionId: Type.Optional(Type.String({ description: 'The last execution of the row.' })),
    output,
    outputs,
    error,
    endedAt: Type.Optional(Timestamp),
  },
  named('BatchItem'),
)

export const BatchEstimateRecord = Type.Object(
  {
    rows: Type.Integer({ description: 'Number of rows that have not ended.' }),
    sampledRows: Type.Integer({
      description: `Number of rows that were planned for the estimate, at most ${limits.batchSampleRows}, evenly spaced.`,
    }),
    cost: CostRange,
    expectedDuration: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Milliseconds until the last row ends, if nothing else runs. Null if an operation of the workflow has not run yet.',
    }),
  },
  named('BatchEstimate'),
)

const ZipPartRecord = Type.Object(
  {
    fromRow: Type.Integer({ description: 'Number of the first row.' }),
    toRow: Type.Integer({ description: 'Number of the last row.' }),
  },
  named('BatchZipPart'),
)

export const BatchResultsRecord = Type.Object(
  {
    zipParts: Type.Array(ZipPartRecord, {
      description: 'One part if `results.zip` can have the images of all rows. None if the batch has no rows.',
    }),
  },
  {
    ...named('BatchResults'),
    examples: [
      {
        zipParts: [
          { fromRow: 1, toRow: 50_000 },
          { fromRow: 50_001, toRow: 80_000 },
        ],
      },
    ],
  },
)

/** The data of an event. `x-sse-events` names the schema of each event, because OpenAPI 3.1 has no field for it. */
export const BatchEvent = Type.Union([BatchRecord, BatchItemRecord], {
  ...named('BatchEvent'),
  description:
    'Each event of the stream has `id`, `event` and `data` (one line of JSON). This is the data: of `batch` or `item`. The stream starts with `retry`, and comments keep it alive.',
  'x-sse-events': {
    batch: { $ref: '#/components/schemas/Batch' },
    item: { $ref: '#/components/schemas/BatchItem' },
  },
})
