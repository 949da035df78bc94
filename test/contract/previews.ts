import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Preview } from '../../src/domain/images/preview.ts'
import { type OpenStores, tenant } from './records.ts'

let count = 0

function preview(accountId: string, changes: Partial<Preview> = {}): Preview {
  count += 1
  const id = `prev_${count}`
  const size = { width: 512, height: 8, size: 200 }
  return { id, accountId, key: `key ${id}`, ...size, createdAt: 1_000, usedAt: 1_000, ...changes }
}

export function previewsContract(name: string, open: OpenStores): void {
  describe(`previews on ${name}`, () => {
    test('previews are found by their keys, by their account only, and old ones that were not shown are not found', async (t) => {
      const { previews, ...stores } = await open(t)
      const [{ account: owner }, { account: other }] = [
        await tenant({ previews, ...stores }),
        await tenant({ previews, ...stores }),
      ]
      const [one, old, foreign] = [preview(owner.id), preview(owner.id, { usedAt: 999 }), preview(other.id)]
      await previews.add([one, old, foreign])
      const keys = [one, old, foreign].flatMap(({ key }) => key ?? [])
      assert.deepEqual(await previews.find(owner.id, [...keys, 'unknown'], 1_000), [one])
      assert.deepEqual((await previews.find(owner.id, keys, 999)).length, 2)
      assert.deepEqual(await previews.find(owner.id, [], 0), [])
      await previews.add([])
    })

    test('of several previews with one key, from two processes, the newest is found; those without a key never', async (t) => {
      const { previews, ...stores } = await open(t)
      const { account } = await tenant({ previews, ...stores })
      const tries = [2_000, 4_000, 3_000].map((createdAt) => preview(account.id, { key: 'same', createdAt }))
      const unique = [preview(account.id, { key: null }), preview(account.id, { key: null })]
      await Promise.all([...tries, ...unique].map((each) => previews.add([each])))
      assert.deepEqual(await previews.find(account.id, ['same', 'null', ''], 0), [tries[1]])
      const ids = [...tries, ...unique].map(({ id }) => id)
      assert.deepEqual(await previews.existing([...ids, 'prev_none']), new Set(ids))
      assert.deepEqual(await previews.existing([]), new Set())
    })

    test('previews that were not shown since a time are removed, oldest first, up to a number, and their blobs are recorded', async (t) => {
      const { previews, blobRemovals, ...stores } = await open(t)
      const { account } = await tenant({ previews, blobRemovals, ...stores })
      const all = [1, 2, 3, 4].map((usedAt) => preview(account.id, { usedAt }))
      const [first, second, third, fourth] = all.map(({ id }) => id) as [string, string, string, string]
      await previews.add(all)
      await previews.touch([first, 'prev_none'], 9)
      await previews.touch([], 9)
      assert.equal(await previews.sweep(4, 1, 77), 1)
      assert.deepEqual(await previews.existing([first, second, third, fourth]), new Set([first, third, fourth]))
      assert.equal(await previews.sweep(4, 10, 78), 1)
      assert.equal(await previews.sweep(4, 10, 79), 0)
      assert.deepEqual(await previews.existing([first, second, third, fourth]), new Set([first, fourth]))
      assert.deepEqual(await blobRemovals.list(9), [
        { key: `${second}.webp`, dueAt: 77 },
        { key: `${third}.webp`, dueAt: 78 },
      ])
    })

    test('the bytes of the previews of an account are those of its rows, also at the same time', async (t) => {
      const { previews, ...stores } = await open(t)
      const [owner, other] = [await tenant({ previews, ...stores }), await tenant({ previews, ...stores })]
      assert.equal(await previews.bytesOf(owner.account.id), 0)
      const all = Array.from({ length: 40 }, (_, i) => preview(owner.account.id, { size: i, usedAt: i }))
      await Promise.all([0, 10, 20, 30].map((from) => previews.add(all.slice(from, from + 10))))
      await previews.add([preview(other.account.id)])
      assert.equal(await previews.bytesOf(owner.account.id), 780 + 40 * 4_096)
      assert.equal(await previews.sweep(3, 10, 1), 3)
      assert.equal(await previews.bytesOf(owner.account.id), 777 + 37 * 4_096)
      assert.equal(await previews.bytesOf(other.account.id), 4_296)
    })

    test('the least recently used previews of an account are evicted, until the bytes are removed', async (t) => {
      const { previews, blobRemovals, ...stores } = await open(t)
      const { account } = await tenant({ previews, blobRemovals, ...stores })
      const { account: other } = await tenant({ previews, blobRemovals, ...stores })
      const all = [1, 2, 3, 4, 5].map((usedAt) => preview(account.id, { usedAt, size: 1_000 }))
      const foreign = preview(other.id, { usedAt: 0 })
      const ids = [...all, foreign].map(({ id }) => id)
      await previews.add([...all, foreign])
      await previews.touch([ids[0] ?? ''], 9)
      assert.equal(await previews.evict(account.id, { bytes: 0, rowsMax: 10 }, 77), 0)
      assert.equal(await previews.evict(account.id, { bytes: 5_097, rowsMax: 10 }, 77), 2)
      assert.deepEqual(await previews.existing(ids), new Set([0, 3, 4, 5].map((i) => ids[i])))
      assert.equal(await previews.evict(account.id, { bytes: 1e9, rowsMax: 1 }, 78), 1)
      assert.equal(await previews.bytesOf(account.id), 2 * 5_096)
      assert.equal(await previews.evict(account.id, { bytes: 1e9, rowsMax: 10 }, 79), 2)
      assert.equal(await previews.evict(account.id, { bytes: 1e9, rowsMax: 10 }, 79), 0)
      assert.deepEqual(await previews.existing(ids), new Set([foreign.id]))
      const noted = new Map((await blobRemovals.list(100)).map(({ key, dueAt }) => [key, dueAt]))
      assert.deepEqual(
        all.map(({ id }) => noted.get(`${id}.webp`)),
        [79, 77, 77, 78, 79],
      )
    })
  })
}
