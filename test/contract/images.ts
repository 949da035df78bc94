import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { blobKeyOf } from '../../src/domain/blob-key.ts'
import type { ImageFilter, ImageOrder } from '../../src/domain/images/image.ts'
import { thumbnailKey } from '../../src/domain/images/preview.ts'
import { listContract } from './lists.ts'
import { firstPage, ids, image, type OpenStores, project, tenant } from './records.ts'

export function imagesContract(name: string, open: OpenStores): void {
  describe(`images on ${name}`, () => {
    test('an image is returned as it was created, to its account, and by its id alone', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      const upload = image({ accountId: owner.account.id, size: 5_000_000_000 })
      const fields = { projectId: owner.project.id, executionId: 'exec_1', expiresAt: 1_900_000_000_000 }
      const output = image({ accountId: owner.account.id, ...fields })
      for (const created of [upload, output]) {
        await stores.images.create(created)
        assert.deepEqual(await stores.images.find(owner.account.id, created.id), created)
        assert.deepEqual(await stores.images.findPublic(created.id), created)
        assert.equal(await stores.images.find(other.account.id, created.id), undefined)
      }
      assert.equal(await stores.images.findPublic('img_unknown'), undefined)
    })

    test('images of any account are found together, without those that do not exist', async (t) => {
      const stores = await open(t)
      const all = await Promise.all([1, 2].map(async () => image({ accountId: (await tenant(stores)).account.id })))
      for (const each of all) await stores.images.create(each)
      const found = await stores.images.findAll([...ids(all), 'img_unknown'])
      assert.deepEqual(ids(found).sort(), ids(all).sort())
      assert.deepEqual(await stores.images.findAll([]), [])
    })

    test('creating an image with an existing id fails and keeps the first one', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const first = image({ accountId: account.id })
      await stores.images.create(first)
      await assert.rejects(stores.images.create({ ...first, name: 'other.png' }), AlreadyExists)
      assert.deepEqual(await stores.images.findPublic(first.id), first)
    })

    test("an account finds its own image by the hash of its bytes, and never another account's", async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      const first = image({ accountId: owner.account.id, createdAt: 1 })
      await stores.images.create(first)
      assert.equal(await stores.images.findByHash(other.account.id, first.sha256), undefined)
      const ofOther = image({ accountId: other.account.id, sha256: first.sha256 })
      await stores.images.create(ofOther)
      assert.deepEqual(await stores.images.findByHash(owner.account.id, first.sha256), first)
      assert.deepEqual(await stores.images.findByHash(other.account.id, first.sha256), ofOther)
      const again = image({ accountId: owner.account.id, sha256: first.sha256, createdAt: 2 })
      await stores.images.create(again)
      assert.deepEqual(await stores.images.findByHash(owner.account.id, first.sha256), again)
      assert.equal(await stores.images.findByHash(owner.account.id, '0'.repeat(64)), undefined)
    })

    test('a removed image is gone everywhere, and only its account can remove it', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      const [deleted, remaining] = [image({ accountId: owner.account.id }), image({ accountId: owner.account.id })]
      await stores.images.create(deleted)
      await stores.images.create(remaining)
      assert.equal(await stores.images.remove(other.account.id, deleted.id, 9), undefined)
      assert.deepEqual(await stores.images.findPublic(deleted.id), deleted)
      assert.equal(await stores.images.remove(owner.account.id, deleted.id, 9), blobKeyOf(deleted))
      assert.equal(await stores.images.remove(owner.account.id, deleted.id, 9), undefined)
      assert.equal(await stores.images.find(owner.account.id, deleted.id), undefined)
      assert.equal(await stores.images.findPublic(deleted.id), undefined)
      assert.equal(await stores.images.findByHash(owner.account.id, deleted.sha256), undefined)
      assert.deepEqual(await stores.images.list(owner.account.id, firstPage, {}), {
        items: [remaining],
        next: null,
        total: 1,
      })
    })

    test('the thumbnail of a removed image is gone, and its blob is recorded', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const [deleted, remaining] = [image({ accountId: account.id }), image({ accountId: account.id })]
      for (const stored of [deleted, remaining]) {
        await stores.images.create(stored)
        const preview = {
          id: `prev_${stored.id}`,
          accountId: account.id,
          key: thumbnailKey(stored.id),
          width: 1,
          height: 1,
        }
        await stores.previews.add([{ ...preview, size: 1, createdAt: 1, usedAt: 1 }])
      }
      await stores.images.remove(account.id, deleted.id, 9)
      const found = await stores.previews.find(
        account.id,
        [deleted, remaining].map(({ id }) => thumbnailKey(id)),
        0,
      )
      assert.deepEqual(ids(found), [`prev_${remaining.id}`])
      const removals = await stores.blobRemovals.list(9)
      assert.deepEqual(removals.map(({ key }) => key).sort(), [blobKeyOf(deleted), `prev_${deleted.id}.webp`].sort())
    })

    test('a list by project has the images of that project only', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const elsewhere = project({ accountId: account.id })
      await stores.projects.create(elsewhere)
      const inHome = image({ accountId: account.id, projectId: home.id })
      const inOther = image({ accountId: account.id, projectId: elsewhere.id })
      const inNone = image({ accountId: account.id })
      for (const each of [inHome, inOther, inNone]) await stores.images.create(each)
      const list = (projectId: string) => stores.images.list(account.id, firstPage, { projectId })
      assert.deepEqual(ids((await list(home.id)).items), [inHome.id])
      assert.deepEqual(ids((await list(elsewhere.id)).items), [inOther.id])
      assert.equal((await stores.images.list(account.id, firstPage, {})).total, 3)
    })

    test('images are selected by source, name, time and id, in each order, and counted', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const other = await tenant(stores)
      await stores.images.create(image({ accountId: other.account.id, name: 'Cat.png' }))
      const fields = [
        { name: 'Cat.png', size: 3, createdAt: 1 },
        { name: 'dog.png', size: 1, createdAt: 2, executionId: 'exec_1' },
        { name: 'BOBCAT.jpg', size: 4, createdAt: 3, executionId: 'exec_2', projectId: home.id },
        { name: '100%_cat', size: 2, createdAt: 4, projectId: home.id },
      ]
      const all = fields.map((each) => image({ accountId: account.id, ...each }))
      for (const each of all) await stores.images.create(each)
      const found = async (filter: ImageFilter, order?: ImageOrder) => {
        const { items, total } = await stores.images.list(account.id, firstPage, filter, order)
        assert.equal(total, items.length)
        assert.equal(await stores.images.count(account.id, filter), total)
        return items.map(({ createdAt }) => createdAt)
      }
      assert.deepEqual(await found({}), [4, 3, 2, 1])
      assert.deepEqual(await found({}, 'oldest'), [1, 2, 3, 4])
      assert.deepEqual(await found({}, 'largest'), [3, 1, 4, 2])
      assert.deepEqual(await found({}, 'smallest'), [2, 4, 1, 3])
      assert.deepEqual(await found({ source: 'upload' }), [4, 1])
      assert.deepEqual(await found({ source: 'output' }, 'oldest'), [2, 3])
      assert.deepEqual(await found({ search: 'cAt' }), [4, 3, 1])
      assert.deepEqual(await found({ search: '%_' }), [4])
      assert.deepEqual(await found({ search: 'cat', source: 'output', projectId: home.id }), [3])
      assert.deepEqual(await found({ createdAfter: 2, createdBefore: 4 }), [3, 2])
      assert.deepEqual(await found({ ids: [all[0]?.id ?? '', 'img_unknown'] }), [1])
      const second = await stores.images.list(account.id, { limit: 1, offset: 2 }, {}, 'smallest')
      assert.deepEqual([ids(second.items), second.total], [[all[0]?.id], 4])
    })

    test('some matching images are removed, the oldest first, with their blobs', async (t) => {
      const stores = await open(t)
      const [{ account }, other] = [await tenant(stores), await tenant(stores)]
      const all = Array.from({ length: 120 }, (_, n) => image({ accountId: account.id, createdAt: n, name: `a${n}` }))
      const stays = [image({ accountId: account.id, name: 'b' }), image({ accountId: other.account.id, name: 'a' })]
      for (const each of [...all, ...stays]) await stores.images.create(each)
      assert.deepEqual(await stores.images.removeSome(account.id, { search: 'a' }, 110, 9), {
        count: 110,
        hasMore: true,
      })
      const left = await stores.images.list(account.id, { limit: 20, offset: 0 }, {}, 'oldest')
      assert.deepEqual(ids(left.items), ids([...all.slice(110), stays[0] ?? assert.fail()]))
      assert.equal(left.total, 11)
      const gone = all.slice(0, 110).map(blobKeyOf)
      assert.deepEqual((await stores.blobRemovals.list(999)).map(({ key }) => key).sort(), gone.sort())
      assert.deepEqual(await stores.images.removeSome(account.id, { search: 'a' }, 110, 9), {
        count: 10,
        hasMore: false,
      })
      assert.deepEqual(await stores.images.removeSome(account.id, { search: 'a' }, 110, 9), {
        count: 0,
        hasMore: false,
      })
      assert.equal((await stores.images.list(other.account.id, firstPage, {})).total, 1)
      assert.equal(await stores.images.count(account.id, { search: 'B' }), 1)
      assert.equal(await stores.images.count(account.id, { search: 'a' }), 0)
    })

    test('an image that lasts long enough is found by its hash', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const passing = image({ accountId: account.id, createdAt: 2, expiresAt: 50 })
      await stores.images.create(passing)
      const find = async (lastsUntil?: number | 'always') =>
        (await stores.images.findByHash(account.id, passing.sha256, lastsUntil))?.id
      assert.deepEqual(
        [await find(), await find(50), await find(51), await find('always')],
        [passing.id, passing.id, undefined, undefined],
      )
      const lasting = image({ accountId: account.id, createdAt: 1, sha256: passing.sha256 })
      await stores.images.create(lasting)
      assert.deepEqual([await find(), await find(51), await find('always')], [passing.id, lasting.id, lasting.id])
    })

    for (const filtered of [false, true]) {
      listContract(filtered ? 'images of a project' : 'images', async (t) => {
        const stores = await open(t)
        const owner = await tenant(stores)
        const other = await tenant(stores)
        const filter = filtered ? { projectId: owner.project.id } : {}
        return {
          async add(createdAt) {
            const record = image({ accountId: owner.account.id, projectId: owner.project.id, createdAt })
            await stores.images.create(record)
            return record.id
          },
          list: (page) => stores.images.list(owner.account.id, page, filter),
          addElsewhere: (createdAt) =>
            stores.images.create(image({ accountId: other.account.id, projectId: other.project.id, createdAt })),
        }
      })
    }
  })
}
