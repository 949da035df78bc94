import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { usageRecord } from './present.ts'
import { UsageReply } from './schema.ts'

export const getUsage = defineRoute({
  id: 'usage.get',
  method: 'GET',
  path: '/usage',
  summary: 'Get the usage of the account and the cost of its AI model calls',
  description: `Sums by month, day, workflow, key and model. A call counts on the day (UTC) on which it ended. Lists of workflows, keys and models contain the ${limits.usageListMax} with the highest cost. Cached results cost nothing and do not count as calls.`,
  tag: 'AI models',
  permission: ['workflows:read'],
  query: Type.Object(
    {
      from: Type.Optional(
        Type.String({ description: 'First day, such as `2026-11-01`. Default: the first day of the month of `to`.' }),
      ),
      to: Type.Optional(
        Type.String({
          description: `Last day, such as \`2026-11-21\`. At most ${limits.usageDaysMax} days in total. Default: today.`,
        }),
      ),
      workflowId: Type.Optional(id('Return only usage of this workflow.')),
      keyId: Type.Optional(id('Return only usage of executions that this key started.')),
    },
    closed,
  ),
  reply: { status: 200, description: 'The usage.', schema: UsageReply },
  async handle({ query, caller }, { usage, activity, requestCounts }) {
    const summary = await usage.of(caller.account, query)
    if (query.workflowId !== undefined || query.keyId !== undefined) return { body: usageRecord(summary) }
    await requestCounts.flush()
    return { body: { ...usageRecord(summary), activity: await activity.of(caller.account.id, summary) } }
  },
})
