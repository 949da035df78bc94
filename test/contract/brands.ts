import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrandValues } from '../../shared/brand.ts'
import { type OpenStores, project, tenant } from './records.ts'

const updatedAt = 1_795_000_000_000
const teal: BrandValues = {
  primary: { type: 'color', value: '#0f766e', description: 'Buttons' },
  'a-b_1': { type: 'text', value: 'naïve\n\u{1f600}' },
}
const red: BrandValues = { primary: { type: 'color', value: 'red' } }

export function brandsContract(name: string, open: OpenStores): void {
  describe(`brands on ${name}`, () => {
    test('a brand is returned as it was saved, and each save counts its revision up', async (t) => {
      const stores = await open(t)
      const { brands } = stores
      const { id: accountId } = (await tenant(stores)).account
      const brand = { accountId, projectId: null, values: teal, updatedAt }
      assert.equal(await brands.find(accountId, null), undefined)
      assert.equal(await brands.save(brand), 1)
      assert.deepEqual(await brands.find(accountId, null), { ...brand, revision: 1 })
      assert.equal(await brands.save({ ...brand, values: {}, updatedAt: updatedAt + 1 }), 2)
      const empty = { ...brand, values: {}, updatedAt: updatedAt + 1, revision: 2 }
      assert.deepEqual(await brands.find(accountId, null), empty)
    })

    test('the brands of an account, of its projects and of other accounts are separate', async (t) => {
      const stores = await open(t)
      const { brands } = stores
      const { account, project: first } = await tenant(stores)
      const { id: accountId } = account
      const second = project({ accountId })
      await stores.projects.create(second)
      const other = await tenant(stores)
      const ofAccount = { accountId, projectId: null, values: teal, updatedAt }
      const ofProject = { accountId, projectId: first.id, values: red, updatedAt }
      await brands.save(ofAccount)
      await brands.save(ofProject)
      assert.deepEqual(await brands.findBoth({ accountId, projectId: first.id }), {
        account: { ...ofAccount, revision: 1 },
        project: { ...ofProject, revision: 1 },
      })
      assert.deepEqual(await brands.findBoth({ accountId, projectId: second.id }), {
        account: { ...ofAccount, revision: 1 },
        project: undefined,
      })
      assert.deepEqual(await brands.findBoth({ accountId }), {
        account: { ...ofAccount, revision: 1 },
        project: undefined,
      })
      assert.deepEqual(await brands.findBoth({ accountId: other.account.id, projectId: first.id }), {
        account: undefined,
        project: undefined,
      })
      assert.equal(await brands.find(other.account.id, first.id), undefined)
    })

    test('brands are found by a text of their values, only those of the account', async (t) => {
      const stores = await open(t)
      const { brands } = stores
      const { account, project: home } = await tenant(stores)
      const other = await tenant(stores)
      const logo = (value: string): BrandValues => ({ logo: { type: 'image', value } })
      await brands.save({ accountId: account.id, projectId: null, values: logo('img_0_1'), updatedAt })
      await brands.save({ accountId: account.id, projectId: home.id, values: logo('img_0x1'), updatedAt })
      await brands.save({ accountId: other.account.id, projectId: null, values: logo('img_0_1'), updatedAt })
      const owners = [account.id, home.id, other.account.id]
      const { ids, bytes } = await brands.containing(account.id, owners, 'img_0_1')
      assert.deepEqual(ids, new Set([account.id]))
      assert.equal(bytes, 2 * JSON.stringify(logo('img_0_1')).length)
      assert.deepEqual(await brands.containing(account.id, [], 'img_0_1'), { ids: new Set(), bytes: 0 })
    })

    test('a save with a revision writes only over that revision, also of one that was never saved', async (t) => {
      const stores = await open(t)
      const { brands } = stores
      const { account, project: home } = await tenant(stores)
      const brand = { accountId: account.id, projectId: home.id, values: teal, updatedAt }
      assert.equal(await brands.save(brand, 1), undefined)
      assert.equal(await brands.find(account.id, home.id), undefined)
      assert.equal(await brands.save(brand, 0), 1)
      assert.equal(await brands.save({ ...brand, values: red }, 0), undefined)
      assert.equal(await brands.save({ ...brand, values: red }, 2), undefined)
      assert.deepEqual((await brands.find(account.id, home.id))?.values, teal)
      assert.equal(await brands.save({ ...brand, values: red }, 1), 2)
      assert.deepEqual((await brands.find(account.id, home.id))?.values, red)
    })

    test('of concurrent saves over one revision, exactly one writes', async (t) => {
      const stores = await open(t)
      const { brands } = stores
      const { account } = await tenant(stores)
      for (const revision of [0, 1]) {
        const saves = Array.from({ length: 8 }, (_, i) => {
          const values: BrandValues = { text: { type: 'text', value: `${i}` } }
          return brands.save({ accountId: account.id, projectId: null, values, updatedAt }, revision)
        })
        const outcomes = await Promise.all(saves)
        const written = outcomes.flatMap((outcome, i) => (outcome === undefined ? [] : [i]))
        assert.equal(written.length, 1)
        assert.equal(outcomes[written[0] ?? -1], revision + 1)
        assert.equal((await brands.find(account.id, null))?.values.text?.value, `${written[0]}`)
      }
    })
  })
}
