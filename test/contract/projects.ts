import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { listContract } from './lists.ts'
import { account, firstPage, type OpenStores, project, tenant } from './records.ts'

export function projectsContract(name: string, open: OpenStores): void {
  describe(`projects on ${name}`, () => {
    test('a project is returned as it was created, to its account only', async (t) => {
      const stores = await open(t)
      const { account: owner, project: home } = await tenant(stores)
      const other = await tenant(stores)
      const record = project({ accountId: owner.id, description: '' })
      await stores.projects.create(record)
      assert.deepEqual(await stores.projects.find(owner.id, record.id), record)
      assert.deepEqual(await stores.projects.find(owner.id, home.id), home)
      assert.equal(await stores.projects.find(other.account.id, record.id), undefined)
      assert.equal(await stores.projects.find(owner.id, 'proj_unknown'), undefined)
    })

    test('an account has at most one default project', async (t) => {
      const stores = await open(t)
      const { account: owner, project: home } = await tenant(stores)
      await stores.projects.create(project({ accountId: owner.id }))
      const second = project({ accountId: owner.id, isDefault: true })
      await assert.rejects(stores.projects.create(second), AlreadyExists)
      assert.equal(await stores.projects.find(owner.id, second.id), undefined)
      assert.deepEqual(await stores.projects.findDefault(owner.id), home)
    })

    test('an account without a default project does not get that of another', async (t) => {
      const stores = await open(t)
      await tenant(stores)
      const bare = account()
      await stores.accounts.create(bare)
      await stores.projects.create(project({ accountId: bare.id }))
      assert.equal(await stores.projects.findDefault(bare.id), undefined)
      assert.equal((await stores.projects.list(bare.id, firstPage)).total, 1)
    })

    listContract('projects', async (t) => {
      const { accounts, projects } = await open(t)
      const [owner, other] = [account(), account()]
      await accounts.create(owner)
      await accounts.create(other)
      return {
        async add(createdAt) {
          const record = project({ accountId: owner.id, createdAt })
          await projects.create(record)
          return record.id
        },
        list: (page) => projects.list(owner.id, page),
        addElsewhere: (createdAt) => projects.create(project({ accountId: other.id, createdAt })),
      }
    })
  })
}
