import Type from 'typebox'
import { limits } from '../../../limits.ts'
import { closed, defineRoute } from '../../define-route.ts'
import { countedPageOf, PageQuery, paging } from '../pages.ts'
import { channelMove } from './present.ts'
import { ChannelMoveRecord, ChannelParams } from './schema.ts'

export const listChannelMoves = defineRoute({
  id: 'channels.listMoves',
  method: 'GET',
  path: '/workflows/{workflowId}/channels/{name}/moves',
  summary: 'List the moves of a channel, newest first',
  description: `Includes rollbacks and the deletion of the channel. The newest ${limits.channelMovesMax} moves are kept, and of all channels of a workflow together the newest ${limits.workflowMovesMax}.`,
  tag: 'Channels',
  permission: ['workflows:read'],
  params: ChannelParams,
  query: Type.Object(PageQuery, closed),
  reply: {
    status: 200,
    description: 'A page of moves.',
    schema: countedPageOf('ChannelMovePage', { moves: Type.Array(ChannelMoveRecord) }),
  },
  errors: ['not_found'],
  async handle(request, { channels }) {
    const { page, fieldsOf } = paging(request)
    const { workflowId, name } = request.params
    const found = await channels.moves(request.caller.account.id, workflowId, name, page)
    return { body: { moves: found.items.map(channelMove), ...fieldsOf(found) } }
  },
})
