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
  summary: 'Read what the account did, and what its calls of AI models cost',
  description: `Added up by month, day, workflow, key and model; a call counts on the day (UTC) on which it ended. Of workflows, keys and models the ${limits.usageListMax} dearest are told. What comes from the cache costs nothing and is no call.`,
  tag: 'AI models',
  permission: ['workflows:read'],
  query: Type.Object(
    {
      from: Type.Optional(
        Type.String({ description: 'The first day, `2026-11-01`. Default: the first of the month of `to`.' }),
      ),
      to: Type.Optional(
        Type.String({
          description: `The last day, \`2026-11-21\`, less than ${limits.usageDaysMax} days later. Default: today.`,
        }),
      ),
      workflowId: Type.Optional(id('Only what this workflow has caused.')),
      keyId: Type.Optional(id('Only what was begun with this key.')),
    },
    closed,
  ),
  reply: { status: 200, description: 'The sums.', schema: UsageReply },
  async handle({ query, caller }, { usage, activity, requestCounts }) {
    const summary = await usage.of(caller.account, query)
    if (query.workflowId !== undefined || query.keyId !== undefined) return { body: usageRecord(summary) }
    await requestCounts.flush()
    return { body: { ...usageRecord(summary), activity: await activity.of(caller.account.id, summary) } }
  },
})
