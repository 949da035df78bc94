/** Schemas of usage: model calls, their cost, and activity. */
import Type from 'typebox'
import { closed } from '../../define-route.ts'

const activitySums = {
  requests: Type.Integer({ description: 'Requests with a key of the account, as they were answered.' }),
  refused: Type.Integer({ description: 'Of them, those that were answered with 4xx or 503.' }),
  executions: Type.Integer({ description: 'Executions that ended: completed and failed.' }),
  completed: Type.Integer(),
  failed: Type.Integer(),
  failures: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, closed), {
    description: 'Failed executions by `details.reason`, the most frequent first.',
  }),
  duration: Type.Union(
    [
      Type.Object(
        {
          median: Type.Number(),
          p95: Type.Number({ description: 'Of 100 executions, 95 took no longer.' }),
        },
        closed,
      ),
      Type.Null(),
    ],
    {
      description:
        'Milliseconds from acceptance to the stored output, to 1 %, of executions that completed; null where none did.',
    },
  ),
}

export const ActivityRecord = Type.Object(
  {
    totals: Type.Object(activitySums, closed),
    days: Type.Array(Type.Object({ day: Type.String(), ...activitySums }, closed), {
      description: 'Every day of the range, oldest first.',
    }),
  },
  {
    ...closed,
    description:
      'What the whole account did, by the day (UTC) on which a request was answered and an execution ended; left out where only a workflow or a key is asked for. Requests may be missing for some seconds.',
  },
)

const costSums = {
  calls: Type.Integer({ description: 'Calls that gave an answer.' }),
  failures: Type.Integer({ description: 'Calls that gave none.' }),
  costUsd: Type.Number({
    description: 'US dollars. Of calls whose cost nobody knows, the most that they may cost, where that is known.',
  }),
  unknownCosts: Type.Integer({ description: 'Calls whose cost nobody knows.' }),
}

export const UsageReply = Type.Object(
  {
    from: Type.String({ description: 'The first day.' }),
    to: Type.String({ description: 'The last day.' }),
    totals: Type.Object(costSums, closed),
    months: Type.Array(Type.Object({ month: Type.String(), ...costSums }, closed)),
    days: Type.Array(Type.Object({ day: Type.String(), ...costSums }, closed)),
    workflows: Type.Array(Type.Object({ workflowId: Type.String(), ...costSums }, closed)),
    keys: Type.Array(
      Type.Object(
        {
          keyId: Type.Union([Type.String(), Type.Null()], { description: 'Null: begun by a command of the operator.' }),
          ...costSums,
        },
        closed,
      ),
    ),
    models: Type.Array(Type.Object({ model: Type.String(), ...costSums }, closed)),
    budget: Type.Object(
      {
        month: Type.String(),
        monthUsd: Type.Union([Type.Number(), Type.Null()], { description: 'Most that may be spent; null: no bound.' }),
        spentUsd: Type.Number(),
        reservedUsd: Type.Number({ description: 'Set aside for calls that have not ended.' }),
      },
      { ...closed, description: 'Of the account, in the month that it is (UTC).' },
    ),
    activity: Type.Optional(ActivityRecord),
  },
  closed,
)
