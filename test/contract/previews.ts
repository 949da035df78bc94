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
  })
}
