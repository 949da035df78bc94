/** Schemas of usage: model calls, their cost, and activity. */
import Type from 'typebox'
import { closed } from '../../define-route.ts'

const activitySums = {
  requests: Type.Integer({ description: 'Number of requests with a key of the account.' }),
  refused: Type.Integer({ description: 'Number of requests with status 4xx or 503.' }),
  executions: Type.Integer({ description: 'Number of executions that ended: `completed` plus `failed`.' }),
  completed: Type.Integer(),
  failed: Type.Integer(),
  failures: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, closed), {
    description: 'Number of failed executions by `details.reason`, most frequent first.',
  }),
  duration: Type.Union(
    [
      Type.Object(
        {
          median: Type.Number(),
          p95: Type.Number({ description: '95th percentile.' }),
        },
        closed,
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
    totals: Type.Object(activitySums, closed),
    days: Type.Array(Type.Object({ day: Type.String(), ...activitySums }, closed), {
      description: 'All days of the range, oldest first.',
    }),
  },
  {
    ...closed,
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
    totals: Type.Object(costSums, closed),
    months: Type.Array(Type.Object({ month: Type.String(), ...costSums }, closed)),
    days: Type.Array(Type.Object({ day: Type.String(), ...costSums }, closed)),
    workflows: Type.Array(Type.Object({ workflowId: Type.String(), ...costSums }, closed)),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Type.Union([Type.String(), Type.Null()], {
            description: 'Null for executions that the operator started by command.',
          }),
          ...costSums,
        },
        closed,
      ),
    ),
    models: Type.Array(Type.Object({ model: Type.String(), ...costSums }, closed)),
    budget: Type.Object(
      {
        month: Type.String(),
        monthUsd: Type.Union([Type.Number(), Type.Null()], { description: 'Budget of the month. Null if unlimited.' }),
        spentUsd: Type.Number(),
        reservedUsd: Type.Number({ description: 'Reserved for calls that have not ended.' }),
      },
      { ...closed, description: 'Budget of the account in the current month (UTC).' },
    ),
    activity: Type.Optional(ActivityRecord),
  },
  closed,
)
