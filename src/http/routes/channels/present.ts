/** Converts channels and their moves to response bodies. */

import { timestamp } from '../../../domain/clock.ts'
import type { Channel, ChannelMove } from '../../../domain/workflows/channel.ts'

export function channelRecord({ name, version, movedAt, keyId }: Channel) {
  return { name, version, movedAt: timestamp(movedAt), ...(keyId === undefined ? {} : { keyId }) }
}

export function channelMove({ version, from, isRollback, movedAt, keyId }: ChannelMove) {
  return {
    ...(version === null ? {} : { version }),
    ...(from === null ? {} : { from }),
    ...(isRollback ? { rollback: true } : {}),
    movedAt: timestamp(movedAt),
    ...(keyId === undefined ? {} : { keyId }),
  }
}
