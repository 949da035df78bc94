import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { blobKeyOf } from '../../src/domain/blob-key.ts'
import { listContract } from './lists.ts'
import { assertRefused } from './quotas.ts'
import { characters, firstPage, font, ids, maximum, type OpenStores, tenant } from './records.ts'

export function fontsContract(name: string, open: OpenStores): void {
  describe(`fonts on ${name}`, () => {
    test('a font is returned as it was created, to its account only', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      const upright = font({ accountId: owner.account.id })
      const variable = font({
        accountId: owner.account.id,
        weightMin: 1,
        weightMax: 1000,
        italic: true,
        format: 'woff2',
      })
      for (const created of [upright, variable]) {
        await stores.fonts.create(created, characters)
        assert.deepEqual(await stores.fonts.find(owner.account.id, created.id), created)
        assert.equal(await stores.fonts.find(other.account.id, created.id), undefined)
        assert.equal(await stores.fonts.characters(owner.account.id, created.id), characters)
        assert.equal(await stores.fonts.characters(other.account.id, created.id), undefined)
      }
      assert.equal(await stores.fonts.find(owner.account.id, 'font_unknown'), undefined)
    })

    test('creating a font with an existing id fails and keeps the first one', async (t) => {
      const stores = await open(t)
      const { account } = await tenant(stores)
      const first = font({ accountId: account.id })
      await stores.fonts.create(first, characters)
      await assert.rejects(stores.fonts.create({ ...first, family: 'Other' }, characters), AlreadyExists)
      assert.deepEqual(await stores.fonts.find(account.id, first.id), first)
    })

    test('an account has at most its limit of fonts, also with concurrent uploads', async (t) => {
      const stores = await open(t, maximum('fonts', 3))
      const owner = await tenant(stores)
      const other = await tenant(stores)
      await stores.fonts.create(font({ accountId: other.account.id }), characters)
      const fonts = Array.from({ length: 8 }, () => font({ accountId: owner.account.id }))
      const outcomes = await Promise.allSettled(fonts.map((each) => stores.fonts.create(each, characters)))
      assertRefused(outcomes, 5, { quota: 'fonts', limit: 3 })
      const remaining = fonts.filter((_, i) => outcomes[i]?.status === 'fulfilled')
      const { items, total } = await stores.fonts.list(owner.account.id, firstPage)
      assert.deepEqual([ids(items).sort(), total], [ids(remaining).sort(), 3])
      await stores.fonts.remove(owner.account.id, ids(remaining)[0] ?? '', 9)
      await stores.fonts.create(font({ accountId: owner.account.id }), characters)
    })

    test('a removed font is gone, and only its account can remove it', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      const [deleted, remaining] = [font({ accountId: owner.account.id }), font({ accountId: owner.account.id })]
      await stores.fonts.create(deleted, characters)
      await stores.fonts.create(remaining, characters)
      assert.equal(await stores.fonts.remove(other.account.id, deleted.id, 9), undefined)
      assert.deepEqual(await stores.fonts.find(owner.account.id, deleted.id), deleted)
      assert.equal(await stores.fonts.remove(owner.account.id, deleted.id, 9), blobKeyOf(deleted))
      assert.equal(await stores.fonts.remove(owner.account.id, deleted.id, 9), undefined)
      assert.equal(await stores.fonts.find(owner.account.id, deleted.id), undefined)
      assert.deepEqual(await stores.fonts.list(owner.account.id, firstPage), {
        items: [remaining],
        next: null,
        total: 1,
      })
    })

    listContract('fonts', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      return {
        async add(createdAt) {
          const record = font({ accountId: owner.account.id, createdAt })
          await stores.fonts.create(record, characters)
          return record.id
        },
        list: (page) => stores.fonts.list(owner.account.id, page),
        async addElsewhere(createdAt) {
          await stores.fonts.create(font({ accountId: other.account.id, createdAt }), characters)
        },
      }
    })
  })
}
