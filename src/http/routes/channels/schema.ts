/** Schemas of channels and their moves. */
import Type from 'typebox'
import { named } from '../../../domain/named-schema.ts'
import { ChannelName } from '../../../domain/workflows/channel.ts'
import { id, Timestamp } from '../schema.ts'

export const ChannelParams = Type.Object({ workflowId: id('The id of the workflow.'), name: ChannelName })

const KeyId = Type.Optional(
  Type.String({ description: 'The id of the API key of the move. Absent for a command of the operator.' }),
)

export const ChannelRecord = Type.Object(
  {
    name: Type.String(),
    version: Type.Integer({ description: 'The version that executions by this channel run.' }),
    movedAt: Timestamp,
    keyId: KeyId,
  },
  named('Channel'),
)

export const ChannelMoveRecord = Type.Object(
  {
    version: Type.Optional(
      Type.Integer({ description: 'The version after the move. Absent if the channel was deleted.' }),
    ),
    from: Type.Optional(
      Type.Integer({ description: 'The version before the move. Absent if the channel was created.' }),
    ),
    rollback: Type.Optional(Type.Literal(true, { description: 'The move rolled an earlier move back.' })),
    movedAt: Timestamp,
    keyId: KeyId,
  },
  named('ChannelMove'),
)
