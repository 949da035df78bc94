import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blobKeyOf } from '../../src/domain/blob-key.ts'
import { account, characters, font, image, type OpenStores, tenant } from './records.ts'

export function blobRemovalsContract(name: string, open: OpenStores): void {
  describe(`removals of blobs on ${name}`, () => {
    test('removing an image or a font notes its blob, the oldest first, until it is done', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const [first, second] = [image({ accountId: account.id }), image({ accountId: account.id, format: 'svg' })]
      const type = font({ accountId: account.id, format: 'woff2' })
      for (const each of [first, second]) await stores.images.create(each)
      await stores.fonts.create(type, characters)
      assert.equal(await stores.images.remove(account.id, first.id, 30), blobKeyOf(first))
      assert.equal(await stores.images.remove(account.id, second.id, 10), blobKeyOf(second))
      assert.equal(await stores.fonts.remove(account.id, type.id, 20), blobKeyOf(type))
      const notes = [
        { key: blobKeyOf(second), dueAt: 10 },
        { key: blobKeyOf(type), dueAt: 20 },
        { key: blobKeyOf(first), dueAt: 30 },
      ]
      assert.deepEqual(await stores.blobRemovals.list(9), notes)
      assert.deepEqual(await stores.blobRemovals.list(1), notes.slice(0, 1))
      await stores.blobRemovals.done(blobKeyOf(type))
      await stores.blobRemovals.done('img_unknown.png')
      assert.deepEqual(
        await stores.blobRemovals.list(9),
        notes.filter(({ dueAt }) => dueAt !== 20),
      )
    })

    test('notes that are postponed come later, and only those that are due are found', async (t) => {
      const { blobRemovals } = await open(t)
      assert.equal(await blobRemovals.add([], 10), 0)
      assert.equal(await blobRemovals.add(['img_1.png', 'img_2.png'], 10), 2)
      assert.equal(await blobRemovals.add(['img_2.png', 'img_3.png'], 20), 1)
      const due = async (at?: number) => (await blobRemovals.list(9, at)).map(({ key, dueAt }) => `${key} ${dueAt}`)
      assert.deepEqual(await due(), ['img_1.png 10', 'img_2.png 10', 'img_3.png 20'])
      await blobRemovals.postpone(['img_1.png', 'img_unknown.png'], 30)
      await blobRemovals.postpone([], 40)
      assert.deepEqual(await due(9), [])
      assert.deepEqual(await due(20), ['img_2.png 10', 'img_3.png 20'])
      assert.deepEqual(await due(30), ['img_2.png 10', 'img_3.png 20', 'img_1.png 30'])
    })

    test('no removals are noted if nothing is removed', async (t) => {
      const stores = await open(t)
      const [owner, other] = [await tenant(stores), await tenant(stores)]
      const [storedImage, type] = [image({ accountId: owner.account.id }), font({ accountId: owner.account.id })]
      await stores.images.create(storedImage)
      await stores.fonts.create(type, characters)
      assert.equal(await stores.images.remove(other.account.id, storedImage.id, 1), undefined)
      assert.equal(await stores.fonts.remove(other.account.id, type.id, 1), undefined)
      assert.equal(await stores.images.remove(owner.account.id, 'img_unknown', 1), undefined)
      assert.deepEqual(await stores.blobRemovals.list(9), [])
    })

    test('finds the ids that have a row', async (t) => {
      const stores = await open(t)
      const [owner, other] = [await tenant(stores), await tenant(stores)]
      const storedImages = [image({ accountId: owner.account.id }), image({ accountId: other.account.id })]
      for (const each of storedImages) await stores.images.create(each)
      const type = font({ accountId: owner.account.id })
      await stores.fonts.create(type, characters)
      const [one = '', two = ''] = storedImages.map(({ id }) => id)
      const ids = [one, two, type.id, 'img_unknown']
      assert.deepEqual(await stores.images.existing(ids), new Set([one, two]))
      assert.deepEqual(await stores.fonts.existing(ids), new Set([type.id]))
      assert.deepEqual(await stores.images.existing([]), new Set())
      assert.deepEqual(await stores.fonts.existing([]), new Set())
    })
  })

  describe(`background jobs on ${name}`, () => {
    test('of many callers that start a job at the same time one does, and then none until its interval has passed', async (t) => {
      const { backgroundJobs } = await open(t)
      const createRemoval = (at: number) =>
        Promise.all(Array.from({ length: 10 }, () => backgroundJobs.start('sweep', at, 100)))
      const count = async (at: number) => (await createRemoval(at)).filter(Boolean).length
      assert.equal(await count(1_000), 1)
      assert.equal(await count(1_099), 0)
      assert.equal(await backgroundJobs.start('another', 1_099, 100), true)
      assert.equal(await count(1_100), 1)
      assert.equal(await count(1_150), 0)
    })

    test('a job starts again if the clock was set back, and other clocks may differ a little', async (t) => {
      const { backgroundJobs } = await open(t)
      assert.equal(await backgroundJobs.start('sweep', 86_400_000, 100), true)
      assert.equal(await backgroundJobs.start('sweep', 86_399_900, 100), false)
      assert.equal(await backgroundJobs.start('sweep', 1_000, 100), true)
      assert.equal(await backgroundJobs.start('sweep', 1_099, 100), false)
    })

    test('the records are as old as the oldest account', async (t) => {
      const { backgroundJobs, accounts } = await open(t)
      const now = (await backgroundJobs.recordsSince()) ?? 1_000_000
      for (const createdAt of [now - 5, now - 7, now - 6]) await accounts.create(account({ createdAt }))
      assert.equal(await backgroundJobs.recordsSince(), now - 7)
    })
  })
}
