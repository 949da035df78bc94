/** Schemas of usage: model calls, their cost, and activity. */
import Type from 'typebox'
import { quotaNames } from '../../../domain/accounts/quota.ts'
import { named } from '../../../domain/named-schema.ts'

const activitySums = {
  requests: Type.Integer({ description: 'Number of requests with a key of the account.' }),
  refused: Type.Integer({ description: 'Number of requests with status 4xx or 503.' }),
  executions: Type.Integer({ description: 'Number of executions that ended: `completed` plus `failed`.' }),
  completed: Type.Integer(),
  failed: Type.Integer(),
  failures: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, named('FailureCount')), {
    description: 'Number of failed executions by `details.reason`, most frequent first.',
  }),
  duration: Type.Union(
    [
      Type.Object(
        {
          median: Type.Number(),
          p95: Type.Number({ description: '95th percentile.' }),
        },
        named('Durations'),
      ),
      Type.Null(),
    ],
    {
      description:
        'Milliseconds from the accepted request to the stored output of completed executions, accurate to 1 %. Null if none completed.',
    },
  ),
}

export const ActivityRecord = Type.Object(
  {
    totals: Type.Object(activitySums, named('ActivityTotals')),
    days: Type.Array(Type.Object({ day: Type.String(), ...activitySums }, named('ActivityDay')), {
      description: 'All days of the range, oldest first.',
    }),
  },
  {
    ...named('Activity'),
    description:
      'Activity of the entire account. Requests count on the day (UTC) of the response, executions on the day on which they ended. Absent if `workflowId` or `keyId` is set. The number of requests may be some seconds behind.',
  },
)

const costSums = {
  calls: Type.Integer({ description: 'Number of successful AI model calls.' }),
  failures: Type.Integer({ description: 'Number of failed AI model calls.' }),
  costUsd: Type.Number({
    description: 'US dollars. Includes the maximum cost of calls with unknown cost, if it is known.',
  }),
  unknownCosts: Type.Integer({ description: 'Number of calls with unknown cost.' }),
}

export const UsageReply = Type.Object(
  {
    from: Type.String({ description: 'First day.' }),
    to: Type.String({ description: 'Last day.' }),
    totals: Type.Object(costSums, named('UsageTotals')),
    months: Type.Array(Type.Object({ month: Type.String(), ...costSums }, named('MonthUsage'))),
    days: Type.Array(Type.Object({ day: Type.String(), ...costSums }, named('DayUsage'))),
    workflows: Type.Array(Type.Object({ workflowId: Type.String(), ...costSums }, named('WorkflowUsage'))),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Type.Union([Type.String(), Type.Null()], {
            description: 'Null for executions that the operator started by command.',
          }),
          ...costSums,
        },
        named('KeyUsage'),
      ),
    ),
    models: Type.Array(Type.Object({ model: Type.String(), ...costSums }, named('ModelUsage'))),
    budget: Type.Object(
      {
        month: Type.String(),
        monthUsd: Type.Union([Type.Number(), Type.Null()], { description: 'Budget of the month. Null if unlimited.' }),
        spentUsd: Type.Number(),
        reservedUsd: Type.Number({ description: 'Reserved for calls that have not ended.' }),
      },
      { ...named('Budget'), description: 'Budget of the account in the current month (UTC).' },
    ),
    quotas: Type.Array(
      Type.Object(
        {
          quota: Type.Enum(quotaNames, { description: 'Name of the quota, as in `details.quota` of an error.' }),
          used: Type.Integer({ description: 'Number of records or bytes that the account has now.' }),
          limit: Type.Union([Type.Integer(), Type.Null()], { description: 'Maximum. Null if unlimited.' }),
          title: Type.String({ description: 'Text for people, which can change in any release.' }),
        },
        named('QuotaUse'),
      ),
      {
        description:
          'Quotas of the account. Above a limit, requests that add more get 403 `forbidden`; of `cacheBytes`, the least recently used results are removed.',
      },
    ),
    storage: Type.Object(
      {
        bytes: Type.Integer({
          description:
            'Bytes of images, of rows of batches, and of texts of at least 16 KiB: versions of workflows, drafts, parameters of executions, and stored responses of requests with an `Idempotency-Key`. Files of delivery URLs do not count.',
        }),
        maxBytes: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'When `bytes` reaches it, uploads, executions and long documents get 403 `forbidden`. Null if unlimited.',
        }),
      },
      { ...named('StorageUsage'), description: 'Storage of the account now.' },
    ),
    retention: Type.Object(
      {
        executionsDays: Type.Integer({
          description:
            'Days after their end for which executions are stored with their steps and events. Their output images stay, unless `outputsDays` or their `expiresIn` says otherwise.',
        }),
        uploadsDays: Type.Optional(
          Type.Integer({ description: 'Days for which new uploads are stored by default. Absent if they stay.' }),
        ),
        outputsDays: Type.Optional(
          Type.Integer({ description: 'Days for which new outputs are stored by default. Absent if they stay.' }),
        ),
      },
      { ...named('RetentionUsage'), description: 'How long records are stored.' },
    ),
    activity: Type.Optional(ActivityRecord),
  },
  named('Usage'),
)
