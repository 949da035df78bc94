import Type from 'typebox'
import { closed, defineRoute } from '../../define-route.ts'
import { ifMatchHeader, parseIfMatch } from '../../request/if-match.ts'
import { versionField } from '../schema.ts'
import { versionEtag } from '../workflows/present.ts'
import { channelRecord } from './present.ts'
import { ChannelParams, ChannelRecord } from './schema.ts'

export const moveChannel = defineRoute({
  id: 'channels.move',
  method: 'PUT',
  path: '/workflows/{workflowId}/channels/{name}',
  summary: 'Point a channel to a version',
  description:
    'Creates the channel if it is missing. Once the response is sent, every new execution by this channel runs the version, in all processes. Running executions keep their version. The move is recorded with its key and time. With `If-Match`, the request is rejected if the channel was moved in the meantime.',
  tag: 'Channels',
  permission: ['workflows:write'],
  params: ChannelParams,
  requestHeaders: ifMatchHeader('channel'),
  body: Type.Object({ version: versionField('A published version of the workflow.') }, closed),
  reply: {
    status: 200,
    description: 'The channel points to the version.',
    schema: ChannelRecord,
    headers: { ETag: 'The version, for `If-Match`.' },
  },
  errors: ['not_found', 'precondition_failed'],
  async handle({ params: { workflowId, name }, body, caller, headers }, { channels }) {
    const by = { accountId: caller.account.id, keyId: caller.key.id }
    const ifVersion = parseIfMatch(headers['if-match'], 'channel')
    const channel = await channels.move(by, workflowId, name, body.version, { ifVersion })
    return { headers: { etag: versionEtag(channel.version) }, body: channelRecord(channel) }
  },
})
