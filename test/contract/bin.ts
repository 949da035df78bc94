import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blobKeyOf } from '../../src/domain/blob-key.ts'
import type { Image } from '../../src/domain/images/image.ts'
import { thumbnailKey } from '../../src/domain/images/preview.ts'
import type { Stores } from '../../src/storage/database/open.ts'
import { listContract } from './lists.ts'
import { firstPage, ids, image, type OpenStores, tenant } from './records.ts'

async function stored(stores: Stores, accountId: string, fields: Partial<Image> = {}): Promise<Image> {
  const created = image({ accountId, ...fields })
  await stores.images.create(created)
  return created
}

const toBin = (stores: Stores, { accountId, id }: Image, now: number) =>
  stores.images.removeSome(accountId, { ids: [id] }, 1, now, { toBin: true })

export function binContract(name: string, open: OpenStores): void {
  describe(`the bin on ${name}`, () => {
    test('nothing finds an image in the bin, and a restored one is as it was', async (t) => {
      const stores = await open(t)
      const { account, project } = await tenant(stores)
      const other = await tenant(stores)
      const fields = { projectId: project.id, expiresAt: 1_900_000_000_000, size: 5_000_000_000 }
      const binned = await stored(stores, account.id, fields)
      const output = await stored(stores, account.id, { executionId: 'exec_1', isPrivate: true })
      assert.deepEqual(await toBin(stores, binned, 7), { count: 1, hasMore: false })
      assert.deepEqual(await toBin(stores, binned, 8), { count: 0, hasMore: false })
      assert.equal(await stores.images.find(account.id, binned.id), undefined)
      assert.equal(await stores.images.findPublic(binned.id), undefined)
      assert.equal(await stores.images.findByHash(account.id, binned.sha256), undefined)
      assert.deepEqual(await stores.images.findAll([binned.id]), [])
      assert.equal(await stores.images.remove(account.id, binned.id, 9), undefined)
      assert.equal(await stores.images.update(account.id, binned.id, { name: 'x' }), false)
      assert.deepEqual(ids((await stores.images.list(account.id, firstPage, {})).items), [output.id])
      assert.equal((await stores.images.list(account.id, firstPage, { projectId: project.id })).total, 0)
      assert.equal(await stores.images.count(account.id, {}), 1)
      // Its bytes have an owner, and are not to be removed.
      assert.deepEqual(await stores.images.existing([binned.id, 'img_unknown']), new Set([binned.id]))
      assert.deepEqual(await stores.blobRemovals.list(9), [])

      assert.deepEqual(await stores.bin.find(account.id, binned.id), { ...binned, binnedAt: 7 })
      assert.equal(await stores.bin.find(other.account.id, binned.id), undefined)
      assert.deepEqual(await stores.bin.restore(other.account.id, [binned.id]), [])
      assert.deepEqual(await stores.bin.restore(account.id, [binned.id, output.id, 'img_unknown']), [binned.id])
      assert.deepEqual(await stores.images.find(account.id, binned.id), binned)
      assert.equal((await stores.images.list(account.id, firstPage, { projectId: project.id })).total, 1)
      assert.deepEqual(await stores.bin.list(account.id, firstPage), { items: [], next: null, total: 0 })
      await toBin(stores, output, 9)
      await stores.bin.restore(account.id, [output.id])
      assert.deepEqual(await stores.images.find(account.id, output.id), { ...output, requiresSignature: true })
    })

    test('the thumbnails of an image go when it is moved to the bin, and when it is removed from it', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const binned = await stored(stores, account.id)
      const addThumbnail = (id: string) =>
        stores.previews.add([
          {
            id,
            accountId: account.id,
            key: thumbnailKey(binned.id),
            width: 1,
            height: 1,
            size: 1,
            createdAt: 1,
            usedAt: 1,
          },
        ])
      const removals = async () => (await stores.blobRemovals.list(9)).map(({ key }) => key).sort()
      await addThumbnail('prev_first')
      await toBin(stores, binned, 9)
      assert.deepEqual(await removals(), ['prev_first.webp'])
      await addThumbnail('prev_second')
      assert.deepEqual(await stores.bin.remove(account.id, [binned.id], 9, 9), { count: 1, hasMore: false })
      assert.deepEqual(await removals(), [blobKeyOf(binned), 'prev_first.webp', 'prev_second.webp'].sort())
    })

    test('chosen images are removed, or all, the oldest first, and no more than the maximum', async (t) => {
      const stores = await open(t)
      const [owner, other] = [await tenant(stores), await tenant(stores)]
      const all: Image[] = []
      for (let n = 0; n < 250; n += 1) all.push(await stored(stores, owner.account.id))
      for (const [n, each] of all.entries()) await toBin(stores, each, n)
      await toBin(stores, await stored(stores, other.account.id), 1)
      const remove = (chosen: string[] | undefined, max: number) => stores.bin.remove(owner.account.id, chosen, max, 9)
      const left = async () => (await stores.bin.list(owner.account.id, { limit: 1, offset: 0 })).total
      assert.deepEqual(await remove(ids(all.slice(240, 242)), 100), { count: 2, hasMore: false })
      assert.deepEqual(await remove(undefined, 120), { count: 120, hasMore: true })
      assert.deepEqual(await stores.bin.find(owner.account.id, all[119]?.id ?? ''), undefined)
      assert.equal(await left(), 128)
      assert.deepEqual(await remove(undefined, 128), { count: 128, hasMore: false })
      assert.equal(await left(), 0)
      assert.equal((await stores.bin.list(other.account.id, firstPage)).total, 1)
    })

    test('images are listed by name without regard to case, and pages continue after a deleted one', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const names = ['b.png', 'A.png', 'ä.png', '', 'a.png', 'C.png', '100%.png', 'B.png']
      const created = new Map<string, Image>()
      for (const each of names) created.set(each, await stored(stores, account.id, { name: each }))
      const [first, ...rest] = (await stores.images.list(account.id, firstPage, {}, 'name')).items.map(({ name }) =>
        name.toLowerCase(),
      )
      assert.deepEqual([first, ...rest], ['', '100%.png', 'a.png', 'a.png', 'b.png', 'b.png', 'c.png', 'ä.png'])
      const page = await stores.images.list(account.id, { limit: 4, offset: 0 }, {}, 'name')
      await stores.images.remove(account.id, page.items.at(-1)?.id ?? '', 1)
      const after = page.next ?? assert.fail()
      const more = await stores.images.list(account.id, { limit: 100, offset: 0, after }, { search: 'png' }, 'name')
      assert.deepEqual(
        more.items.map(({ name }) => name.toLowerCase()),
        ['b.png', 'b.png', 'c.png', 'ä.png'],
      )
    })

    test('a name and a project change alone, and with the audit log', async (t) => {
      const stores = await open(t)
      const { account, project } = await tenant(stores)
      const { id } = await stored(stores, account.id, { name: 'old.png' })
      assert.equal(await stores.images.update(account.id, id, { name: 'new.png' }), true)
      assert.equal(await stores.images.update(account.id, id, { projectId: project.id }), true)
      const { name, projectId } = (await stores.images.find(account.id, id)) ?? assert.fail()
      assert.deepEqual([name, projectId], ['new.png', project.id])
      assert.equal((await stores.images.list(account.id, firstPage, { projectId: project.id })).total, 1)
      assert.equal(await stores.images.update(account.id, id, { projectId: null }), true)
      assert.equal((await stores.images.list(account.id, firstPage, { projectId: project.id })).total, 0)
      const { items } = await stores.audit.list(account.id, firstPage, { subject: id })
      assert.deepEqual(
        items.map(({ action }) => action),
        ['image.update', 'image.update', 'image.update', 'image.upload'],
      )
    })

    listContract('images in the bin', async (t) => {
      const stores = await open(t)
      const [owner, other] = [await tenant(stores), await tenant(stores)]
      const add = async (accountId: string, binnedAt: number) => {
        const created = await stored(stores, accountId, { createdAt: binnedAt })
        await toBin(stores, created, binnedAt)
        return created.id
      }
      return {
        add: (binnedAt) => add(owner.account.id, binnedAt),
        list: (page) => stores.bin.list(owner.account.id, page),
        async addElsewhere(binnedAt) {
          await add(other.account.id, binnedAt)
        },
      }
    })
  })
}
