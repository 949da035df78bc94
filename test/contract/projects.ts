import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { listContract } from './lists.ts'
import { account, firstPage, type OpenStores, project, tenant } from './records.ts'

export function projectsContract(name: string, open: OpenStores): void {
  describe(`projects on ${name}`, () => {
    test('a project is returned as it was created, to its account only', async (t) => {
      const stores = await open(t)
      const { account: mine, project: home } = await tenant(stores)
      const other = await tenant(stores)
      const made = project({ accountId: mine.id, description: '' })
      await stores.projects.create(made)
      assert.deepEqual(await stores.projects.find(mine.id, made.id), made)
      assert.deepEqual(await stores.projects.find(mine.id, home.id), home)
      assert.equal(await stores.projects.find(other.account.id, made.id), undefined)
      assert.equal(await stores.projects.find(mine.id, 'proj_unknown'), undefined)
    })

    test('an account has at most one default project', async (t) => {
      const stores = await open(t)
      const { account: mine, project: home } = await tenant(stores)
      await stores.projects.create(project({ accountId: mine.id }))
      const second = project({ accountId: mine.id, isDefault: true })
      await assert.rejects(stores.projects.create(second), AlreadyExists)
      assert.equal(await stores.projects.find(mine.id, second.id), undefined)
      assert.deepEqual(await stores.projects.findDefault(mine.id), home)
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
      const [mine, other] = [account(), account()]
      await accounts.create(mine)
      await accounts.create(other)
      return {
        async add(createdAt) {
          const made = project({ accountId: mine.id, createdAt })
          await projects.create(made)
          return made.id
        },
        list: (page) => projects.list(mine.id, page),
        addElsewhere: (createdAt) => projects.create(project({ accountId: other.id, createdAt })),
      }
    })
  })
}
