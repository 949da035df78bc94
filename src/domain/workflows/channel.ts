/** A channel: a name that points to a version of a workflow, such as `live`. Executions by channel run this version. */
import Type from 'typebox'
import { slugPattern } from '../../../shared/names.ts'
import type { NewIdempotencyRecord } from '../idempotency.ts'
import type { CountedPage, PageRequest } from '../page.ts'

export const ChannelName = Type.String({
  pattern: slugPattern,
  description: 'Name of a channel, such as `live` or `staging`: a-z, then a-z 0-9 -, at most 63.',
  'x-expected': 'the name of a channel (a-z, then a-z 0-9 -, at most 63)',
})

export interface Channel {
  workflowId: string
  name: string
  version: number
  /** The time of its last move. */
  movedAt: number
  /** The API key of its last move. Undefined for a command of the operator. */
  keyId?: string
}

/** A change of a channel. Moves are numbered from 1 for each channel, also across its deletion. */
export interface ChannelMove extends Omit<Channel, 'version'> {
  /** Null if the channel was deleted. */
  version: number | null
  /** The version before. Null if the channel was created. */
  from: number | null
  isRollback: boolean
}

export interface MoveBounds {
  channelsMax: number
  /** The moves of a channel that are kept. */
  movesMax: number
  /** The moves of all channels of a workflow that are kept, with those of deleted channels. */
  ofWorkflowMax: number
}

export interface ChannelStore {
  find(workflowId: string, name: string): Promise<Channel | undefined>
  /** Channels, sorted by name. */
  list(workflowId: string): Promise<Channel[]>
  /**
   * Writes the channel and records the move, if `from` is still its version. A `version` of null deletes the channel. All processes see it
   * when this returns. `unknown`: the account has no such workflow, or the workflow no such version. With `record`: see `KeyTaken`.
   */
  move(
    accountId: string,
    move: ChannelMove,
    bounds: MoveBounds,
    record?: NewIdempotencyRecord,
  ): Promise<'moved' | 'changed' | 'full' | 'unknown'>
  /** Newest first. */
  listMoves(workflowId: string, name: string, page: PageRequest): Promise<CountedPage<ChannelMove>>
}

/**
 * The version before the newest move that was not rolled back. Repeated rollbacks go back further. `moves`: newest first. Undefined if there is
 * none: the channel was created with this version.
 */
export function versionBefore(moves: readonly Pick<ChannelMove, 'from' | 'isRollback'>[]): number | undefined {
  let undone = 0
  for (const { from, isRollback } of moves) {
    if (isRollback) undone += 1
    else if (from === null) return undefined
    else if (undone === 0) return from
    else undone -= 1
  }
  return undefined
}
