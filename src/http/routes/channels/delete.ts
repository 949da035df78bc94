import { defineRoute } from '../../define-route.ts'
import { Deleted } from '../schema.ts'
import { ChannelParams } from './schema.ts'

export const deleteChannel = defineRoute({
  id: 'channels.delete',
  method: 'DELETE',
  path: '/workflows/{workflowId}/channels/{name}',
  summary: 'Delete a channel',
  description: 'Requests by this channel are rejected afterwards. Its moves can still be listed.',
  tag: 'Channels',
  permission: ['workflows:write'],
  params: ChannelParams,
  reply: { status: 200, description: 'The channel was deleted.', schema: Deleted },
  errors: ['not_found'],
  async handle({ params: { workflowId, name }, caller }, { channels }) {
    await channels.remove({ accountId: caller.account.id, keyId: caller.key.id }, workflowId, name)
    return { body: { deleted: true } }
  },
})
