/** The shapes of what is told about an account's activity. */
import Type from 'typebox'

const closed = { additionalProperties: false }

const sums = {
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
    totals: Type.Object(sums, closed),
    days: Type.Array(Type.Object({ day: Type.String(), ...sums }, closed), {
      description: 'Every day of the range, oldest first.',
    }),
  },
  {
    ...closed,
    description:
      'What the whole account did, by the day (UTC) on which a request was answered and an execution ended; left out where only a workflow or a key is asked for. Requests may be missing for some seconds.',
  },
)
