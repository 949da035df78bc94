import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import {
  UsedWorkflowDeleted,
  type Workflow,
  type WorkflowDocument,
  WorkflowUsed,
} from '../../src/domain/workflows/workflow.ts'
import { listContract } from './lists.ts'
import {
  document,
  execution,
  firstPage,
  ids,
  type OpenStores,
  project,
  readAll,
  tenant,
  unwritableDocument,
  workflow,
} from './records.ts'

export function workflowsContract(name: string, open: OpenStores): void {
  describe(`workflows on ${name}`, () => {
    test('a workflow is returned as it was created, with its document as version 1', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const record = workflow({ accountId: account.id, projectId: home.id, createdAt: 5, updatedAt: 5 })
      const saved = { ...document(), layout: { photo: [0, -1.5], 'ünïcode \u0000': null } }
      await stores.workflows.create(record, saved)
      assert.deepEqual(await stores.workflows.find(account.id, record.id), record)
      const version = { workflowId: record.id, version: 1, document: saved, createdAt: 5 }
      assert.deepEqual(await stores.workflows.findVersion(record.id, 1), version)
      assert.equal(await stores.workflows.findVersion(record.id, 2), undefined)
    })

    test('only its account can find a workflow', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      assert.equal(await stores.workflows.find(other.account.id, owner.workflow.id), undefined)
      assert.equal(await stores.workflows.find(owner.account.id, 'wf_unknown'), undefined)
      assert.deepEqual(await stores.workflows.findByName(owner.account.id, 'Launch card'), owner.workflow)
      assert.deepEqual(await stores.workflows.findByName(other.account.id, 'Launch card'), other.workflow)
      assert.equal(await stores.workflows.findByName(owner.account.id, 'launch card'), undefined)
    })

    test('a search in documents reads the newest versions of the account that are not deleted', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: first } = await tenant(stores)
      const other = await tenant(stores)
      const text = 'img_0_1'
      const naming = (name: string) => ({ ...document(name), description: text })
      const add = async (name: string, createdAt: number, saved: WorkflowDocument) => {
        const record = workflow({ accountId: account.id, projectId: home.id, name, createdAt })
        await stores.workflows.create(record, saved)
        return record
      }
      const similar = { ...document('Similar'), description: 'img_0a1' }
      const [newest, replaced, remaining] = [
        await add('Newest', 40, similar),
        await add('Replaced', 30, naming('Replaced')),
        await add('Kept', 20, naming('Kept')),
      ]
      const deleted = await add('Deleted', 50, naming('Deleted'))
      await stores.workflows.remove(account.id, deleted.id, 60)
      await stores.workflows.replace({ ...replaced, version: 2 }, document('Replaced'), 1)
      const elsewhere = workflow({ accountId: other.account.id, projectId: other.project.id })
      await stores.workflows.create(elsewhere, naming('Elsewhere'))
      const all = [first, newest, replaced, remaining, deleted, elsewhere].map(({ id }) => id)
      assert.deepEqual((await stores.workflows.containing(account.id, all, text)).ids, new Set([remaining.id]))
      const { ids, bytes } = await stores.workflows.containing(account.id, [newest.id], text)
      assert.deepEqual(ids, new Set())
      assert.ok(bytes > 50 && bytes < 5_000, `${bytes}`)
      assert.deepEqual(await stores.workflows.containing(account.id, [], text), { ids: new Set(), bytes: 0 })
    })

    test('of several workflows with one name the newest is found by it', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const record = [7, 9, 8].map((createdAt) =>
        workflow({ accountId: account.id, projectId: home.id, name: 'Badge', createdAt }),
      )
      for (const each of record) await stores.workflows.create(each, document())
      assert.deepEqual(await stores.workflows.findByName(account.id, 'Badge'), record[1])
    })

    test('a workflow whose version cannot be written is not created', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const record = workflow({ accountId: account.id, projectId: home.id })
      await assert.rejects(stores.workflows.create(record, unwritableDocument()), TypeError)
      assert.equal(await stores.workflows.find(account.id, record.id), undefined)
      await stores.workflows.create(record, document())
      assert.deepEqual(await stores.workflows.find(account.id, record.id), record)
    })

    test('creating a workflow with an existing id fails and keeps the first one', async (t) => {
      const stores = await open(t)
      const { account, workflow: first } = await tenant(stores)
      await assert.rejects(stores.workflows.create({ ...first, name: 'Other' }, document()), AlreadyExists)
      assert.deepEqual(await stores.workflows.find(account.id, first.id), first)
    })

    test('replacing creates a new version and keeps the old ones', async (t) => {
      const stores = await open(t)
      const { account, workflow: first } = await tenant(stores)
      const elsewhere = project({ accountId: account.id })
      await stores.projects.create(elsewhere)
      const second = { ...first, name: 'Card', description: '', projectId: elsewhere.id, version: 2, updatedAt: 99 }
      assert.equal(await stores.workflows.replace(second, document('Card'), 1), true)
      assert.deepEqual(await stores.workflows.find(account.id, first.id), second)
      assert.deepEqual((await stores.workflows.findVersion(first.id, 1))?.document, document())
      const written = { workflowId: first.id, version: 2, document: document('Card'), createdAt: 99 }
      assert.deepEqual(await stores.workflows.findVersion(first.id, 2), written)
    })

    test('of concurrent replacements of one version exactly one succeeds', async (t) => {
      const stores = await open(t)
      const { account, workflow: first } = await tenant(stores)
      const names = Array.from({ length: 10 }, (_, i) => `Card ${i}`)
      const done = await Promise.all(
        names.map((each) => stores.workflows.replace({ ...first, name: each, version: 2 }, document(each), 1)),
      )
      assert.equal(done.filter(Boolean).length, 1)
      const winner = names[done.indexOf(true)]
      assert.equal((await stores.workflows.find(account.id, first.id))?.name, winner)
      assert.equal((await stores.workflows.findVersion(first.id, 2))?.document.name, winner)
    })

    test('replacing another version, a deleted workflow, or that of another account writes nothing', async (t) => {
      const stores = await open(t)
      const { account, workflow: first } = await tenant(stores)
      const other = await tenant(stores)
      const second = { ...first, name: 'Card', version: 2 }
      assert.equal(await stores.workflows.replace({ ...second, version: 3 }, document(), 2), false)
      assert.equal(await stores.workflows.replace({ ...second, accountId: other.account.id }, document(), 1), false)
      assert.deepEqual(await stores.workflows.find(account.id, first.id), first)
      await stores.workflows.remove(account.id, first.id, 1)
      assert.equal(await stores.workflows.replace(second, document(), 1), false)
      assert.equal((await stores.workflows.listVersions(first.id, firstPage)).total, 1)
    })

    test('a replacement whose version cannot be written does not change the workflow', async (t) => {
      const stores = await open(t)
      const { account, workflow: first } = await tenant(stores)
      const second = { ...first, name: 'Card', version: 2 }
      await assert.rejects(stores.workflows.replace(second, unwritableDocument(), 1), TypeError)
      assert.deepEqual(await stores.workflows.find(account.id, first.id), first)
      assert.equal(await stores.workflows.replace(second, document(), 1), true)
    })

    test('versions are listed newest first, without their documents', async (t) => {
      const stores = await open(t)
      const { workflow: first } = await tenant(stores)
      for (let version = 2; version <= 12; version++) {
        await stores.workflows.replace({ ...first, version, updatedAt: version * 10 }, document(), version - 1)
      }
      const versions = await readAll((page) => stores.workflows.listVersions(first.id, page))
      assert.deepEqual(
        versions.map(({ version }) => version),
        [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
      )
      assert.deepEqual(versions[0], { workflowId: first.id, version: 12, createdAt: 120 })
      assert.equal((await stores.workflows.listVersions(first.id, { limit: 2, offset: 0 })).total, 12)
      assert.deepEqual(await stores.workflows.listVersions('wf_unknown', firstPage), {
        items: [],
        next: null,
        total: 0,
      })
    })

    test('a deleted workflow is neither found nor listed, and its name is free', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: first } = await tenant(stores)
      assert.equal(await stores.workflows.remove(account.id, first.id, 1), true)
      assert.equal(await stores.workflows.find(account.id, first.id), undefined)
      assert.equal(await stores.workflows.findByName(account.id, first.name), undefined)
      assert.deepEqual(await stores.workflows.list(account.id, firstPage, {}), { items: [], next: null, total: 0 })
      const inProject = await stores.workflows.list(account.id, firstPage, { projectId: home.id })
      assert.deepEqual(inProject, { items: [], next: null, total: 0 })
      const again = workflow({ accountId: account.id, projectId: home.id })
      await stores.workflows.create(again, document())
      assert.deepEqual(await stores.workflows.findByName(account.id, first.name), again)
    })

    test('a deleted workflow keeps its versions, its name for outputs and its executions', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: first } = await tenant(stores)
      const waiting = execution(first)
      await stores.executions.create(waiting)
      await stores.workflows.remove(account.id, first.id, 1)
      assert.deepEqual((await stores.workflows.findVersion(first.id, 1))?.document, document())
      assert.deepEqual(await stores.workflows.findOwner(first.id), {
        name: first.name,
        projectId: home.id,
        plan: account.plan,
      })
      assert.equal((await stores.executions.claimNext(2))?.id, waiting.id)
      assert.equal(await stores.workflows.findOwner('wf_unknown'), undefined)
    })

    test('only the first deletion, and only by its own account, deletes a workflow', async (t) => {
      const stores = await open(t)
      const owner = await tenant(stores)
      const other = await tenant(stores)
      assert.equal(await stores.workflows.remove(other.account.id, owner.workflow.id, 1), false)
      assert.deepEqual(await stores.workflows.find(owner.account.id, owner.workflow.id), owner.workflow)
      assert.equal(await stores.workflows.remove(owner.account.id, owner.workflow.id, 1), true)
      assert.equal(await stores.workflows.remove(owner.account.id, owner.workflow.id, 2), false)
    })

    test('a used workflow lists its users and is not deleted, and a deleted one is not used', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: used } = await tenant(stores)
      const user = workflow({ accountId: account.id, projectId: home.id })
      const use = (version: number) => ({ name: `a@${version}`, workflowId: used.id, version })
      await stores.workflows.replace({ ...used, version: 2 }, document(), 1)
      await stores.workflows.create({ ...user, uses: [use(1)] }, document())
      await stores.workflows.replace({ ...user, version: 2, uses: [use(2), use(1)] }, document(), 1)
      assert.deepEqual(await stores.workflows.uses(user.id, 1), [use(1)])
      assert.deepEqual(await stores.workflows.uses(user.id, 2), [use(1), use(2)])
      await stores.workflows.replace({ ...user, version: 3, uses: [use(1)] }, document(), 2)
      const newer = workflow({ accountId: account.id, projectId: home.id, createdAt: user.createdAt + 1 })
      await stores.workflows.create({ ...newer, uses: [use(1)] }, document())
      const userOf = ({ id, name, slug }: typeof user) => ({ workflowId: id, name, slug })
      const users = [
        { ...userOf(newer), version: 1, usedVersion: 1 },
        { ...userOf(user), version: 3, usedVersion: 2 },
      ]
      assert.deepEqual(await stores.workflows.users(used.id, 5), users)
      assert.deepEqual(await stores.workflows.users(used.id, 1), users.slice(0, 1))
      assert.equal(await stores.workflows.remove(account.id, newer.id, 1), true)
      assert.deepEqual(await stores.workflows.users(used.id, 5), users.slice(1))
      await assert.rejects(stores.workflows.remove(account.id, used.id, 1), WorkflowUsed)
      assert.equal((await stores.workflows.find(account.id, used.id))?.version, 2)
      assert.equal(await stores.workflows.remove(account.id, user.id, 1), true)
      assert.deepEqual(await stores.workflows.users(used.id, 5), [])
      assert.equal(await stores.workflows.remove(account.id, used.id, 1), true)
      const late = workflow({ accountId: account.id, projectId: home.id })
      await assert.rejects(stores.workflows.create({ ...late, uses: [use(1)] }, document()), UsedWorkflowDeleted)
      assert.equal(await stores.workflows.find(account.id, late.id), undefined)
    })

    test('a workflow is not deleted while another one that uses it is saved', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: used } = await tenant(stores)
      const user = workflow({ accountId: account.id, projectId: home.id })
      const uses = [{ name: 'a@1', workflowId: used.id, version: 1 }]
      const [created, removed] = await Promise.allSettled([
        stores.workflows.create({ ...user, uses }, document()),
        stores.workflows.remove(account.id, used.id, 1),
      ])
      assert.notEqual(created.status, removed.status)
    })

    test('two workflows that use each other can be saved at the same time', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const pairs = Array.from({ length: 8 }, () =>
        [0, 1].map(() => workflow({ accountId: account.id, projectId: home.id })),
      ) as [Workflow, Workflow][]
      for (const saved of pairs.flat()) await stores.workflows.create(saved, document())
      const save = (saved: Workflow, used: Workflow, version: number) => {
        const uses = [{ name: 'a@1', workflowId: used.id, version: 1 }]
        return stores.workflows.replace({ ...saved, version, uses }, document(), version - 1)
      }
      for (let version = 2; version <= 6; version++) {
        const outcomes = await Promise.all(
          pairs.flatMap(([one, other]) => [save(one, other, version), save(other, one, version)]),
        )
        assert.ok(outcomes.every((isSaved) => isSaved))
      }
    })

    test('a list by project has the workflows of that project only', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: first } = await tenant(stores)
      const elsewhere = project({ accountId: account.id })
      await stores.projects.create(elsewhere)
      const there = workflow({ accountId: account.id, projectId: elsewhere.id })
      await stores.workflows.create(there, document())
      const list = (projectId: string) => stores.workflows.list(account.id, firstPage, { projectId })
      assert.deepEqual(ids((await list(elsewhere.id)).items), [there.id])
      assert.deepEqual(ids((await list(home.id)).items), [first.id])
      assert.equal((await list('proj_unknown')).total, 0)
    })

    for (const filtered of [false, true]) {
      listContract(filtered ? 'workflows of a project' : 'workflows', async (t) => {
        const stores = await open(t)
        const other = await tenant(stores)
        const owner = await tenant(stores)
        await stores.workflows.remove(owner.account.id, owner.workflow.id, 1)
        const add = async (to: typeof owner, createdAt: number) => {
          const record = workflow({ accountId: to.account.id, projectId: to.project.id, createdAt })
          await stores.workflows.create(record, document())
          return record.id
        }
        const filter = filtered ? { projectId: owner.project.id } : {}
        return {
          add: (createdAt) => add(owner, createdAt),
          list: (page) => stores.workflows.list(owner.account.id, page, filter),
          addElsewhere: async (createdAt) => void (await add(other, createdAt)),
        }
      })
    }
  })
}
