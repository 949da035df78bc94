/** Channels of workflows: which version each points to, its moves, and rolling back. */

import type { Clock } from '../../domain/clock.ts'
import type { IdempotentCreate } from '../../domain/idempotency.ts'
import type { CountedPage, PageRequest } from '../../domain/page.ts'
import { type Channel, type ChannelMove, type ChannelStore, versionBefore } from '../../domain/workflows/channel.ts'
import type { Workflow, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { Fault, invalidRequest, notFound, outdatedIfMatch } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Actor } from '../executions/executions.ts'
import { publishedVersion } from './version-chooser.ts'

export interface Channels {
  /** Channels by name. All methods throw `not_found` if the account has no such workflow. */
  list(accountId: string, workflowId: string): Promise<Channel[]>
  /** Throws `not_found`. */
  find(accountId: string, workflowId: string, name: string): Promise<Channel>
  /**
   * Points the channel to a version, and creates it if it is missing. Every execution that is accepted later, in any process, runs this version.
   * `ifVersion`: rejects if the channel is elsewhere. Throws `invalid_request` for a version that doesn't exist. A channel that is at the version
   * already stays as it is.
   */
  move(by: Actor, workflowId: string, name: string, version: number, options?: MoveOptions): Promise<Channel>
  /**
   * Moves the channel to the version before its last move. Repeated rollbacks go back further. With `once`: returns the channel if the same
   * request has rolled it back before. Throws `invalid_request` without an earlier version.
   */
  rollBack(
    by: Actor,
    workflowId: string,
    name: string,
    options?: MoveOptions & { once?: IdempotentCreate | undefined },
  ): Promise<Channel>
  /** Deletes the channel. Its moves stay. Throws `not_found`. */
  remove(by: Actor, workflowId: string, name: string): Promise<void>
  /** Newest first, also of a deleted channel. Throws `not_found` if the channel never existed. */
  moves(accountId: string, workflowId: string, name: string, page: PageRequest): Promise<CountedPage<ChannelMove>>
}

export interface MoveOptions {
  ifVersion?: number | undefined
}

interface Dependencies {
  workflows: Pick<WorkflowStore, 'find'>
  channels: ChannelStore
  clock: Clock
}

const bounds = {
  channelsMax: limits.channelsMax,
  movesMax: limits.channelMovesMax,
  ofWorkflowMax: limits.workflowMovesMax,
}

/** How often a move is tried again after a concurrent one. */
const triesMax = 5

export function createChannels({ workflows, channels, clock }: Dependencies): Channels {
  async function findWorkflow(accountId: string, id: string): Promise<Workflow> {
    const workflow = await workflows.find(accountId, id)
    if (workflow === undefined) throw notFound('workflow', id)
    return workflow
  }

  async function find(accountId: string, workflowId: string, name: string): Promise<Channel> {
    await findWorkflow(accountId, workflowId)
    const channel = await channels.find(workflowId, name)
    if (channel === undefined) throw noChannel(workflowId, name)
    return channel
  }

  /** `next` decides where to go from the current version. Undefined: stay. */
  async function change(
    { accountId, keyId }: Actor,
    workflowId: string,
    name: string,
    next: (from: number | null) => Promise<Pick<ChannelMove, 'version' | 'isRollback'> | undefined>,
    once?: IdempotentCreate,
  ): Promise<void> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const from = (await channels.find(workflowId, name))?.version ?? null
      const target = await next(from)
      if (target === undefined) return
      const by = keyId === undefined ? {} : { keyId }
      const move = { workflowId, name, from, movedAt: clock.now(), ...target, ...by }
      const outcome = await channels.move(accountId, move, bounds, once?.record)
      if (outcome === 'moved') return
      if (outcome === 'full') throw tooMany(name)
      if (outcome === 'unknown') throw notFound('workflow', workflowId)
    }
    throw new Fault('unavailable', 'The channel was moved by other requests at the same time. Retry.')
  }

  return {
    async list(accountId, workflowId) {
      return channels.list((await findWorkflow(accountId, workflowId)).id)
    },

    find,

    async move(by, workflowId, name, version, { ifVersion } = {}) {
      const found = publishedVersion(await findWorkflow(by.accountId, workflowId), version)
      if (found.issue) throw invalidRequest([found.issue])
      await change(by, workflowId, name, async (from) => {
        if (ifVersion !== undefined && ifVersion !== from) throw movedMeanwhile(from)
        return from === version ? undefined : { version, isRollback: false }
      })
      return find(by.accountId, workflowId, name)
    },

    async rollBack(by, workflowId, name, { ifVersion, once } = {}) {
      await find(by.accountId, workflowId, name)
      if (once?.createdId === undefined) {
        const goBack = async (from: number | null) => {
          if (from === null) throw noChannel(workflowId, name)
          if (ifVersion !== undefined && ifVersion !== from) throw movedMeanwhile(from)
          const { items } = await channels.listMoves(workflowId, name, { limit: limits.channelMovesMax, offset: 0 })
          const version = versionBefore(items)
          if (version === undefined) throw nothingBefore(name, from)
          return { version, isRollback: true }
        }
        await change(by, workflowId, name, goBack, once)
      }
      return find(by.accountId, workflowId, name)
    },

    async remove(by, workflowId, name) {
      await findWorkflow(by.accountId, workflowId)
      await change(by, workflowId, name, async (from) => {
        if (from === null) throw noChannel(workflowId, name)
        return { version: null, isRollback: false }
      })
    },

    async moves(accountId, workflowId, name, page) {
      await findWorkflow(accountId, workflowId)
      const found = await channels.listMoves(workflowId, name, page)
      // A channel without moves exists if later moves of other channels have displaced its own.
      if (found.total === 0 && (await channels.find(workflowId, name)) === undefined) throw noChannel(workflowId, name)
      return found
    },
  }
}

export function noChannel(workflowId: string, name: string): Fault {
  return new Fault(
    'not_found',
    `Workflow "${workflowId}" has no channel ${JSON.stringify(name)}. Create it with PUT and a version.`,
  )
}

/** The error for an `If-Match` with another version. */
function movedMeanwhile(version: number | null): Fault {
  const now =
    version === null ? 'the channel does not exist' : `the channel is at version ${version} (ETag "${version}")`
  return outdatedIfMatch(`${now}. Look at its moves, and try again.`)
}

function nothingBefore(name: string, version: number): Fault {
  const message = `is ${JSON.stringify(name)}, which was created at version ${version}: there is no earlier version to go back to. Use PUT to move it to another version.`
  return invalidRequest([{ path: 'name', message }])
}

function tooMany(name: string): Fault {
  const message = `is ${JSON.stringify(name)}, but the workflow has ${limits.channelsMax} channels, the maximum. Delete one first.`
  return invalidRequest([{ path: 'name', message }])
}
