import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { limits } from '../../../limits.ts'
import { defineRoute } from '../../define-route.ts'
import { id } from '../schema.ts'
import { channelRecord } from './present.ts'
import { ChannelRecord } from './schema.ts'

export const listChannels = defineRoute({
  id: 'channels.list',
  method: 'GET',
  path: '/workflows/{workflowId}/channels',
  summary: 'List the channels of a workflow, by name',
  description: `A workflow has at most ${limits.channelsMax} channels, so there is one page.`,
  tag: 'Channels',
  permission: ['workflows:read'],
  params: Type.Object({ workflowId: id('The id of the workflow.') }),
  reply: {
    status: 200,
    description: 'All channels.',
    schema: Type.Object({ channels: Type.Array(ChannelRecord) }, named('ChannelList')),
  },
  errors: ['not_found'],
  async handle({ params, caller }, { channels }) {
    const found = await channels.list(caller.account.id, params.workflowId)
    return { body: { channels: found.map(channelRecord) } }
  },
})
