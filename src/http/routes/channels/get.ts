import { defineRoute } from '../../define-route.ts'
import { versionEtag } from '../workflows/present.ts'
import { channelRecord } from './present.ts'
import { ChannelParams, ChannelRecord } from './schema.ts'

export const getChannel = defineRoute({
  id: 'channels.get',
  method: 'GET',
  path: '/workflows/{workflowId}/channels/{name}',
  summary: 'Get a channel',
  tag: 'Channels',
  permission: ['workflows:read'],
  params: ChannelParams,
  reply: {
    status: 200,
    description: 'The channel.',
    schema: ChannelRecord,
    headers: { ETag: 'The version, for `If-Match`.' },
  },
  errors: ['not_found'],
  async handle({ params: { workflowId, name }, caller }, { channels }) {
    const channel = await channels.find(caller.account.id, workflowId, name)
    return { headers: { etag: versionEtag(channel.version) }, body: channelRecord(channel) }
  },
})
