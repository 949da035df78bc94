import { type Kysely, sql } from 'kysely'
import type { Channel, ChannelMove, ChannelStore, MoveBounds } from '../../../domain/workflows/channel.ts'
import type { Dialect } from '../dialect.ts'
import type { Schema } from '../schema.ts'
import type { ChannelMoveRow, WorkflowChannelRow } from '../schema-workflows.ts'
import { factsOf, recordChange } from '../sql/audit.ts'
import { removeMoves } from '../sql/channel-moves.ts'
import { prepared } from '../sql/prepared.ts'
import { readCounted } from '../sql/read-page.ts'
import { insertOnce } from './idempotency.ts'

/** Writers lock the row of the workflow first, so that the moves of its channels come one after the other. */
export function createChannelStore(db: Kysely<Schema>, dialect: Dialect): ChannelStore {
  const select = prepared(({ workflowId, name }: { workflowId: string; name: string }) =>
    channelOf(db, workflowId, name).selectAll(),
  )

  async function write(
    trx: Kysely<Schema>,
    accountId: string,
    move: ChannelMove,
    { channelsMax, movesMax, ofWorkflowMax }: MoveBounds,
  ): Promise<void> {
    const { workflowId, name, version, from } = move
    const live = trx
      .selectFrom('workflows')
      .select('version')
      .where('id', '=', workflowId)
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
    const workflow = await dialect.lockRows(live).executeTakeFirst()
    if (workflow === undefined || (version !== null && (version < 1 || version > workflow.version)))
      throw new NotMoved('unknown')
    const before = await channelOf(trx, workflowId, name).select('version').executeTakeFirst()
    if ((before?.version ?? null) !== from) throw new NotMoved('changed')
    const key = { workflow_id: workflowId, name }
    const facts = await factsOf(trx, 'workflow_channels', key)
    if (version === null) {
      await trx.deleteFrom('workflow_channels').where('workflow_id', '=', workflowId).where('name', '=', name).execute()
    } else {
      if (before === undefined && (await countOf(trx, workflowId)) >= channelsMax) throw new NotMoved('full')
      const { workflow_id, name: _, ...changed } = toRow({ ...move, version })
      await trx
        .insertInto('workflow_channels')
        .values({ workflow_id, name, ...changed })
        .onConflict((conflict) => conflict.columns(['workflow_id', 'name']).doUpdateSet(changed))
        .execute()
    }
    const { last } = await movesOf(trx, workflowId, name)
      .select((eb) => eb.fn.max<number | null>('sequence').as('last'))
      .executeTakeFirstOrThrow()
    const sequence = (last ?? 0) + 1
    const ofWorkflow = await nextOfWorkflow(trx, workflowId)
    await trx
      .insertInto('channel_moves')
      .values(toMoveRow(move, sequence, ofWorkflow))
      .execute()
    await trx
      .deleteFrom('channel_moves')
      .where('workflow_id', '=', workflowId)
      .where('channel', '=', name)
      .where('sequence', '<=', sequence - movesMax)
      .execute()
    await removeMoves(trx, workflowId, ofWorkflow - ofWorkflowMax)
    await recordChange(trx, 'workflow_channels', key, version === null ? 'channel.delete' : 'channel.move', facts)
  }

  return {
    async find(workflowId, name) {
      const [row] = (await select(db, { workflowId, name })).rows
      return row && toChannel(row)
    },

    async list(workflowId) {
      const rows = await db
        .selectFrom('workflow_channels')
        .selectAll()
        .where('workflow_id', '=', workflowId)
        .orderBy('name')
        .execute()
      return rows.map(toChannel)
    },

    async move(accountId, move, bounds, record) {
      try {
        await db
          .transaction()
          .execute((trx) => insertOnce(trx, record, move.workflowId, () => write(trx, accountId, move, bounds)))
        return 'moved'
      } catch (error) {
        if (error instanceof NotMoved) return error.because
        throw error
      }
    },

    async listMoves(workflowId, name, page) {
      const matching = movesOf(db, workflowId, name)
      return readCounted(page, {
        table: db.selectFrom('channel_moves'),
        matching,
        by: 'sequence',
        id: null,
        columns: (rows) => rows.selectAll(),
        count: matching.select((eb) => eb.fn.countAll<number>().as('total')),
        toItem: toMove,
      })
    },
  }
}

/** Rolls back the transaction in which it is thrown. */
class NotMoved extends Error {
  readonly because: 'changed' | 'full' | 'unknown'
  constructor(because: 'changed' | 'full' | 'unknown') {
    super('the channel was not moved')
    this.name = 'NotMoved'
    this.because = because
  }
}

function channelOf(db: Kysely<Schema>, workflowId: string, name: string) {
  return db.selectFrom('workflow_channels').where('workflow_id', '=', workflowId).where('name', '=', name)
}

function movesOf(db: Kysely<Schema>, workflowId: string, name: string) {
  return db.selectFrom('channel_moves').where('workflow_id', '=', workflowId).where('channel', '=', name)
}

async function nextOfWorkflow(trx: Kysely<Schema>, workflowId: string): Promise<number> {
  const { last } = await trx
    .selectFrom('channel_moves')
    .select((eb) => eb.fn.max<number | null>('workflow_sequence').as('last'))
    .where('workflow_id', '=', workflowId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0) + 1
}

async function countOf(db: Kysely<Schema>, workflowId: string): Promise<number> {
  const { count } = await db
    .selectFrom('workflow_channels')
    .select(sql<number>`count(*)`.as('count'))
    .where('workflow_id', '=', workflowId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

function toChannel({ workflow_id, name, version, moved_at, key_id }: WorkflowChannelRow): Channel {
  return { workflowId: workflow_id, name, version, movedAt: moved_at, ...keyOf(key_id) }
}

function toMove(row: ChannelMoveRow): ChannelMove {
  return {
    workflowId: row.workflow_id,
    name: row.channel,
    version: row.version,
    from: row.from_version,
    isRollback: row.is_rollback === 1,
    movedAt: row.moved_at,
    ...keyOf(row.key_id),
  }
}

function keyOf(keyId: string | null): { keyId?: string } {
  return keyId === null ? {} : { keyId }
}

function toRow({ workflowId, name, version, movedAt, keyId }: Channel): WorkflowChannelRow {
  return { workflow_id: workflowId, name, version, moved_at: movedAt, key_id: keyId ?? null }
}

function toMoveRow(move: ChannelMove, sequence: number, ofWorkflow: number): ChannelMoveRow {
  return {
    workflow_id: move.workflowId,
    channel: move.name,
    sequence,
    workflow_sequence: ofWorkflow,
    version: move.version,
    from_version: move.from,
    is_rollback: move.isRollback ? 1 : 0,
    moved_at: move.movedAt,
    key_id: move.keyId ?? null,
  }
}
