import { defineRoute } from '../../define-route.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { versionEtag } from '../workflows/present.ts'
import { channelRecord } from './present.ts'
import { ChannelParams, ChannelRecord } from './schema.ts'

export const rollBackChannel = defineRoute({
  id: 'channels.rollBack',
  method: 'POST',
  path: '/workflows/{workflowId}/channels/{name}/rollback',
  summary: 'Roll a channel back',
  description:
    'Points the channel to the version before its last move, immediately and in all processes. Repeated rollbacks go back further. The move is recorded with its key and time. With `If-Match`, the request is rejected if the channel was moved in the meantime, so that a repeated request does not go back twice.',
  tag: 'Channels',
  permission: ['workflows:write'],
  params: ChannelParams,
  requestHeaders: ifMatchHeader('channel'),
  reply: {
    status: 200,
    description: 'The channel points to the earlier version.',
    schema: ChannelRecord,
    headers: { ETag: 'The version, for `If-Match`.' },
  },
  errors: ['not_found', 'precondition_failed'],
  async handle({ params: { workflowId, name }, caller, headers, once }, { channels }) {
    const by = { accountId: caller.account.id, keyId: caller.key.id }
    const ifVersion = parseIfMatch(headers['if-match'], 'channel')
    const channel = await channels.rollBack(by, workflowId, name, { ifVersion, once })
    return { headers: { etag: versionEtag(channel.version) }, body: channelRecord(channel) }
  },
})
