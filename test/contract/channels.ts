import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChannelMove } from '../../src/domain/workflows/channel.ts'
import type { Workflow } from '../../src/domain/workflows/workflow.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { document, firstPage, type OpenStores, readAll, tenant } from './records.ts'

const bounds = { channelsMax: 3, movesMax: 5, ofWorkflowMax: 100 }
const before = 1_795_000_000_000

/** A workflow with this number of versions. */
async function published(stores: Stores, versions: number): Promise<Workflow> {
  const { workflow } = await tenant(stores)
  for (let version = 2; version <= versions; version++)
    await stores.workflows.replace({ ...workflow, version }, document(`Card ${version}`), version - 1)
  return { ...workflow, version: versions }
}

function moveOf(workflow: Workflow, fields: Partial<ChannelMove> = {}): ChannelMove {
  return {
    workflowId: workflow.id,
    name: 'live',
    version: 1,
    from: null,
    isRollback: false,
    movedAt: before,
    keyId: 'key_1',
    ...fields,
  }
}

export function channelsContract(name: string, open: OpenStores): void {
  describe(`channels on ${name}`, () => {
    test('a channel is returned as it was moved last, and each move is recorded, newest first', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 3)
      const { keyId: _, ...byOperator } = moveOf(workflow, {
        version: 2,
        from: 3,
        isRollback: true,
        movedAt: before + 2,
      })
      const moves = [moveOf(workflow), moveOf(workflow, { version: 3, from: 1, movedAt: before + 1 }), byOperator]
      for (const each of moves) assert.equal(await channels.move(workflow.accountId, each, bounds), 'moved')
      const live = { workflowId: workflow.id, name: 'live', version: 2, movedAt: before + 2 }
      assert.deepEqual(await channels.find(workflow.id, 'live'), live)
      assert.deepEqual(await channels.list(workflow.id), [live])
      assert.deepEqual(await channels.listMoves(workflow.id, 'live', firstPage), {
        items: moves.toReversed(),
        next: null,
        total: 3,
      })
      assert.deepEqual(await readAll((page) => channels.listMoves(workflow.id, 'live', page), 2), moves.toReversed())
    })

    test('channels are listed by name, and belong to their workflow', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const [workflow, other] = [await published(stores, 1), await published(stores, 1)]
      for (const channel of ['staging', 'live', 'a-b'])
        await channels.move(workflow.accountId, moveOf(workflow, { name: channel }), bounds)
      const names = (await channels.list(workflow.id)).map((each) => each.name)
      assert.deepEqual(names, ['a-b', 'live', 'staging'])
      assert.deepEqual(await channels.list(other.id), [])
      assert.equal(await channels.find(other.id, 'live'), undefined)
      assert.deepEqual(await channels.listMoves(other.id, 'live', firstPage), { items: [], next: null, total: 0 })
    })

    test('a move from another version than the current one writes nothing', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 2)
      const move = (fields: Partial<ChannelMove>) => channels.move(workflow.accountId, moveOf(workflow, fields), bounds)
      assert.equal(await move({ from: 1, version: 2 }), 'changed')
      assert.equal(await move({ version: null, from: 1 }), 'changed')
      await move({})
      assert.equal(await move({ version: 2 }), 'changed')
      assert.equal(await move({ version: 2, from: 2 }), 'changed')
      assert.equal((await channels.find(workflow.id, 'live'))?.version, 1)
      assert.equal((await channels.listMoves(workflow.id, 'live', firstPage)).total, 1)
    })

    test('of concurrent moves from one version exactly one succeeds', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 9)
      await channels.move(workflow.accountId, moveOf(workflow), bounds)
      const moves = [2, 3, 4, 5, 6, 7, 8, 9].map((version) => moveOf(workflow, { version, from: 1 }))
      const outcomes = await Promise.all(moves.map((each) => channels.move(workflow.accountId, each, bounds)))
      const done = moves.filter((_, i) => outcomes[i] === 'moved')
      assert.deepEqual(
        outcomes.filter((each) => each !== 'moved'),
        Array(7).fill('changed'),
      )
      assert.equal((await channels.find(workflow.id, 'live'))?.version, done[0]?.version)
      assert.equal((await channels.listMoves(workflow.id, 'live', firstPage)).total, 2)
    })

    test('a channel points only to versions of a workflow of its account that is not deleted', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const [workflow, other] = [await published(stores, 2), await published(stores, 1)]
      const move = (accountId: string, version: number) =>
        channels.move(accountId, moveOf(workflow, { version }), bounds)
      for (const version of [0, -1, 3]) assert.equal(await move(workflow.accountId, version), 'unknown')
      assert.equal(await move(other.accountId, 1), 'unknown')
      await stores.workflows.remove(workflow.accountId, workflow.id, before)
      assert.equal(await move(workflow.accountId, 1), 'unknown')
      assert.deepEqual(await channels.list(workflow.id), [])
    })

    test('a deleted workflow has no channels', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 1)
      await channels.move(workflow.accountId, moveOf(workflow), bounds)
      await stores.workflows.remove(workflow.accountId, workflow.id, before)
      assert.deepEqual(await channels.list(workflow.id), [])
    })

    test('a deleted channel keeps its moves, and a new one of its name continues them', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 2)
      const moves = [moveOf(workflow), moveOf(workflow, { version: null, from: 1 }), moveOf(workflow, { version: 2 })]
      for (const each of moves) assert.equal(await channels.move(workflow.accountId, each, bounds), 'moved')
      assert.equal((await channels.find(workflow.id, 'live'))?.version, 2)
      assert.deepEqual((await channels.listMoves(workflow.id, 'live', firstPage)).items, moves.toReversed())
    })

    test('channels and their moves are limited in number, and the oldest moves are removed first', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 2)
      const move = (fields: Partial<ChannelMove>) => channels.move(workflow.accountId, moveOf(workflow, fields), bounds)
      const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((channel) => ({ name: channel }))
      const outcomes = await Promise.all(names.map(move))
      assert.deepEqual(outcomes.toSorted(), ['full', 'full', 'full', 'moved', 'moved', 'moved'])
      const [{ name: first } = { name: '' }] = await channels.list(workflow.id)
      for (let i = 0; i < 8; i++) {
        const [from, version] = i % 2 === 0 ? [1, 2] : [2, 1]
        assert.equal(await move({ name: first, from, version, movedAt: before + i }), 'moved')
      }
      const { items, total } = await channels.listMoves(workflow.id, first, firstPage)
      assert.deepEqual([total, items.map(({ movedAt }) => movedAt - before)], [5, [7, 6, 5, 4, 3]])
    })

    test('a workflow keeps a number of moves of all its channels, also of deleted ones, and the oldest are removed first', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const [workflow, other] = [await published(stores, 2), await published(stores, 1)]
      await channels.move(other.accountId, moveOf(other), bounds)
      const move = (fields: Partial<ChannelMove>) =>
        channels.move(workflow.accountId, moveOf(workflow, fields), { ...bounds, ofWorkflowMax: 6 })
      assert.equal(await move({ name: 'live' }), 'moved')
      for (let i = 0; i < 8; i += 1) {
        assert.equal(await move({ name: `preview-${i}` }), 'moved')
        assert.equal(await move({ name: `preview-${i}`, from: 1, version: null }), 'moved')
      }
      const totalOf = async (each: string) => (await channels.listMoves(workflow.id, each, firstPage)).total
      const names = ['live', ...Array.from({ length: 8 }, (_, i) => `preview-${i}`)]
      const totals = await Promise.all(names.map(totalOf))
      assert.deepEqual(totals, [0, 0, 0, 0, 0, 0, 2, 2, 2])
      assert.equal((await channels.find(workflow.id, 'live'))?.version, 1)
      assert.equal(await move({ name: 'live', from: 1, version: 2 }), 'moved')
      assert.deepEqual([await totalOf('live'), await totalOf('preview-5'), await totalOf('preview-7')], [1, 1, 2])
      assert.equal((await channels.listMoves(other.id, 'live', firstPage)).total, 1)
    })

    test('a move is written in one transaction with the idempotency key of its request', async (t) => {
      const stores = await open(t)
      const { channels } = stores
      const workflow = await published(stores, 2)
      const { accountId } = workflow
      const record = { accountId, key: 'k', method: 'POST', path: '/x', fingerprint: 'f', createdAt: before }
      assert.equal(await channels.move(accountId, moveOf(workflow, { from: 1 }), bounds, record), 'changed')
      assert.equal(await stores.idempotency.find(accountId, 'k'), undefined)
      assert.equal(await channels.move(accountId, moveOf(workflow), bounds, record), 'moved')
      assert.equal((await stores.idempotency.find(accountId, 'k'))?.resourceId, workflow.id)
      const again = moveOf(workflow, { from: 1, version: 2 })
      await assert.rejects(channels.move(accountId, again, bounds, record), { name: 'KeyTaken' })
      assert.equal((await channels.find(workflow.id, 'live'))?.version, 1)
    })
  })
}
