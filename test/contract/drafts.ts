import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import { WorkflowGone } from '../../src/domain/executions/execution.ts'
import { IdempotencyKeyTaken, type NewIdempotencyRecord } from '../../src/domain/idempotency.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Draft, DraftFilter, Publication } from '../../src/domain/workflows/draft.ts'
import type { Workflow } from '../../src/domain/workflows/workflow.ts'
import { listContract } from './lists.ts'
import {
  document,
  execution,
  firstPage,
  type OpenStores,
  project,
  success,
  tenant,
  unwritableDocument,
  workflow,
} from './records.ts'

export function draftsContract(name: string, open: OpenStores): void {
  const openSetup = async (t: Parameters<OpenStores>[0], fields: Partial<Draft> = {}) => {
    const stores = await open(t)
    const owner = await tenant(stores)
    const created = draft({ accountId: owner.account.id, projectId: owner.project.id, ...fields })
    await stores.drafts.create(created)
    return { stores, owner, created }
  }

  describe(`drafts on ${name}`, () => {
    test('a draft is returned as it was created, and its id belongs to no workflow yet', async (t) => {
      const odd = { name: 5, 'ünïcode \u0000': [null, { '\ud800': 1e308 }], nodes: 'no' }
      const { stores, owner, created } = await openSetup(t, { document: odd })
      assert.deepEqual(await stores.drafts.find(owner.account.id, created.workflowId), created)
      assert.equal(await stores.workflows.find(owner.account.id, created.workflowId), undefined)
      assert.equal(await stores.workflows.findByName(owner.account.id, created.name), undefined)
      assert.equal((await stores.workflows.list(owner.account.id, { limit: 1, offset: 5 }, {})).total, 1)
      assert.equal((await stores.workflows.listVersions(created.workflowId, firstPage)).total, 0)
      assert.equal(await stores.workflows.findVersion(created.workflowId, 0), undefined)
      assert.deepEqual(await stores.workflows.findOwner(created.workflowId), {
        name: 'Drawn',
        projectId: owner.project.id,
        plan: owner.account.plan,
      })
    })

    test('a search in documents reads the drafts of the account', async (t) => {
      const { stores, owner, created } = await openSetup(t, {
        document: { name: 'Drawn', nodes: [{ source: 'img_0_1' }] },
      })
      const other = await tenant(stores)
      const fields = { accountId: owner.account.id, projectId: owner.project.id, createdAt: 50 }
      const similar = draft({ ...fields, name: 'Similar', document: { note: 'img_0a1' } })
      await stores.drafts.create(similar)
      const elsewhere = draft({
        ...created,
        workflowId: newId('wf', 1),
        accountId: other.account.id,
        projectId: other.project.id,
      })
      await stores.drafts.create(elsewhere)
      const all = [created, similar, elsewhere].map(({ workflowId }) => workflowId)
      const { ids, bytes } = await stores.drafts.containing(owner.account.id, all, 'img_0_1')
      assert.deepEqual(ids, new Set([created.workflowId]))
      assert.equal(
        bytes,
        [created, similar].reduce((sum, each) => sum + JSON.stringify(each.document).length, 0),
      )
      assert.deepEqual(await stores.drafts.containing(owner.account.id, [], 'img_0_1'), { ids: new Set(), bytes: 0 })
    })

    test('creating a draft with an existing id fails and keeps the first one', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      await assert.rejects(stores.drafts.create({ ...created, name: 'Other' }), AlreadyExists)
      await assert.rejects(stores.drafts.create({ ...created, workflowId: owner.workflow.id }), AlreadyExists)
      assert.deepEqual(await stores.drafts.find(owner.account.id, created.workflowId), created)
      assert.equal(await stores.drafts.find(owner.account.id, owner.workflow.id), undefined)
    })

    test('a save changes document, name, time and revision in one statement, and only at the given revision', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const save = (title: string, ifRevision?: number) =>
        stores.drafts.save(
          owner.account.id,
          created.workflowId,
          { name: title, document: { title }, updatedAt: 77 },
          ifRevision,
        )
      const { document: _, ...item } = created
      assert.deepEqual(await save('A'), { ...item, name: 'A', updatedAt: 77, revision: 2 })
      assert.equal(await save('B', 1), undefined)
      assert.deepEqual((await stores.drafts.find(owner.account.id, created.workflowId))?.document, { title: 'A' })
      assert.equal((await save('C', 2))?.revision, 3)
      const now = await stores.drafts.find(owner.account.id, created.workflowId)
      assert.deepEqual(now, { ...created, name: 'C', document: { title: 'C' }, updatedAt: 77, revision: 3 })
    })

    test('of concurrent saves at one revision exactly one is written', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const saves = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          stores.drafts.save(owner.account.id, created.workflowId, { name: 'x', document: { i }, updatedAt: 1 }, 1),
        ),
      )
      const written = saves.filter((each) => each !== undefined)
      assert.deepEqual(
        written.map(({ revision }) => revision),
        [2],
      )
      const { document: saved } = (await stores.drafts.find(owner.account.id, created.workflowId)) ?? {}
      assert.deepEqual(saved, { i: saves.findIndex((each) => each !== undefined) })
    })

    test('a workflow has at most one draft, even if many are created concurrently', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: saved } = await tenant(stores)
      const create = (i: number) =>
        stores.drafts.begin(
          draft({ accountId: account.id, projectId: home.id, workflowId: saved.id, baseVersion: 1, document: { i } }),
        )
      const revisions = await Promise.all(Array.from({ length: 8 }, (_, i) => create(i)))
      assert.deepEqual(
        revisions.filter((each) => each !== undefined),
        [1],
      )
      const found = await stores.drafts.find(account.id, saved.id)
      assert.deepEqual([found?.baseVersion, found?.revision], [1, 1])
      assert.deepEqual(found?.document, { i: revisions.indexOf(1) })
    })

    test('no draft is created for an unknown or deleted workflow of the account', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const other = await tenant(stores)
      const create = (workflowId: string) => stores.drafts.begin({ ...created, workflowId })
      await stores.drafts.remove(owner.account.id, created.workflowId)
      assert.equal(await create(created.workflowId), undefined)
      assert.equal(await create(other.workflow.id), undefined)
      assert.equal(await create('wf_unknown'), undefined)
      await stores.workflows.remove(owner.account.id, owner.workflow.id, 1)
      assert.equal(await create(owner.workflow.id), undefined)
    })

    test('the revisions of a workflow continue through all of its drafts', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const ownDraft = draft({ accountId: account.id, projectId: saved.projectId, workflowId: saved.id })
      const save = () => stores.drafts.save(account.id, saved.id, ownDraft)
      assert.equal(await stores.drafts.begin(ownDraft), 1)
      assert.equal((await save())?.revision, 2)
      assert.equal(await stores.drafts.remove(account.id, saved.id), true)
      assert.equal(await stores.drafts.begin(ownDraft), 3)
      assert.equal((await save())?.revision, 4)
      const next = { ...saved, version: 2 }
      assert.equal(await stores.drafts.publish(publication(next, { revision: 4, expectedVersion: 1 })), 'published')
      assert.equal(await stores.drafts.begin(ownDraft), 5)
      assert.equal(await stores.workflows.replace({ ...next, version: 3 }, document('x'), 2), true)
      assert.equal(await stores.drafts.remove(account.id, saved.id), true)
      assert.equal(await stores.drafts.begin(ownDraft), 6)
    })

    test('the first publication creates the workflow with its first version and deletes the draft', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const first = published(created)
      assert.equal(await stores.drafts.publish(publication(first, { note: 'Begun' })), 'published')
      assert.equal(await stores.drafts.find(owner.account.id, created.workflowId), undefined)
      assert.deepEqual(await stores.workflows.find(owner.account.id, first.id), first)
      const version = { workflowId: first.id, version: 1, createdAt: 90, note: 'Begun' }
      assert.deepEqual(await stores.workflows.findVersion(first.id, 1), { ...version, document: document() })
      assert.deepEqual((await stores.workflows.listVersions(first.id, firstPage)).items, [version])
      const { total } = await stores.workflows.list(owner.account.id, { limit: 1, offset: 5 }, {})
      assert.equal(total, 2)
    })

    test('a further publication creates the next version, or none without a document', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const ownDraft = draft({
        accountId: account.id,
        projectId: saved.projectId,
        workflowId: saved.id,
        baseVersion: 1,
      })
      await stores.drafts.begin(ownDraft)
      const second = { ...saved, name: 'Second', version: 2, updatedAt: 90 }
      assert.equal(await stores.drafts.publish(publication(second, { expectedVersion: 1 })), 'published')
      assert.deepEqual(await stores.workflows.find(account.id, saved.id), second)
      assert.equal((await stores.workflows.findVersion(saved.id, 2))?.note, undefined)
      await stores.drafts.begin(ownDraft)
      const same = publication(second, { expectedVersion: 2, revision: 2, document: undefined })
      assert.equal(await stores.drafts.publish(same), 'published')
      assert.equal(await stores.drafts.find(account.id, saved.id), undefined)
      assert.equal((await stores.workflows.listVersions(saved.id, firstPage)).total, 2)
    })

    test('a publication that is outdated or cannot be written changes nothing', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const first = published(created)
      const stays = async () => {
        assert.deepEqual(await stores.drafts.find(owner.account.id, created.workflowId), created)
        assert.equal(await stores.workflows.find(owner.account.id, created.workflowId), undefined)
        assert.equal(await stores.workflows.findVersion(created.workflowId, 1), undefined)
      }
      assert.equal(await stores.drafts.publish(publication(first, { revision: 2 })), 'changed')
      await stays()
      assert.equal(await stores.drafts.publish(publication({ ...first, version: 2 }, { expectedVersion: 1 })), 'newer')
      await stays()
      const other = await tenant(stores)
      assert.equal(await stores.drafts.publish(publication({ ...first, accountId: other.account.id })), 'newer')
      await stays()
      await assert.rejects(stores.drafts.publish(publication(first, { document: unwritableDocument() })), TypeError)
      await stays()
      assert.equal(await stores.drafts.publish(publication(first)), 'published')
      assert.equal(await stores.drafts.publish(publication(first)), 'newer')
    })

    test('concurrent publications, replacements and deletions each happen completely or not at all', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const ownDraft = draft({
        accountId: account.id,
        projectId: saved.projectId,
        workflowId: saved.id,
        baseVersion: 1,
      })
      for (let round = 0; round < 5; round++) {
        const { version } = (await stores.workflows.find(account.id, saved.id)) ?? saved
        const revision = await stores.drafts.begin(ownDraft)
        assert.ok(revision !== undefined)
        const next = { ...saved, version: version + 1 }
        const publish = () => stores.drafts.publish(publication(next, { revision, expectedVersion: version }))
        const outcomes = await Promise.all([
          publish(),
          publish(),
          stores.drafts.remove(account.id, saved.id),
          stores.drafts.save(account.id, saved.id, ownDraft),
          stores.workflows.replace(next, document('Replaced'), version),
        ])
        const created = outcomes.filter((each) => each === 'published').length + (outcomes[4] ? 1 : 0)
        assert.equal((await stores.workflows.find(account.id, saved.id))?.version, version + created)
        assert.equal((await stores.workflows.listVersions(saved.id, firstPage)).total, version + created)
        await stores.drafts.remove(account.id, saved.id)
      }
    })

    test('the drafts of two workflows that use each other can be published at the same time', async (t) => {
      const stores = await open(t)
      const { account, project: home } = await tenant(stores)
      const pairs = Array.from({ length: 8 }, () =>
        [0, 1].map(() => workflow({ accountId: account.id, projectId: home.id })),
      ) as [Workflow, Workflow][]
      for (const saved of pairs.flat()) await stores.workflows.create(saved, document())
      for (let version = 2; version <= 6; version++) {
        const publish = async (saved: Workflow, used: Workflow) => {
          const fields = { accountId: account.id, projectId: home.id, workflowId: saved.id, baseVersion: version - 1 }
          const revision = await stores.drafts.begin(draft(fields))
          const uses = [{ name: 'a@1', workflowId: used.id, version: 1 }]
          const next = publication({ ...saved, version }, { revision: revision ?? 0, expectedVersion: version - 1 })
          return () => stores.drafts.publish({ ...next, workflow: { ...next.workflow, uses } })
        }
        const all = pairs.flatMap(([one, other]) => [publish(one, other), publish(other, one)])
        const outcomes = await Promise.all((await Promise.all(all)).map((each) => each()))
        assert.deepEqual(new Set(outcomes), new Set(['published']))
      }
    })

    test('only the account of a draft can save, publish and delete it, and once', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const other = await tenant(stores)
      assert.equal(await stores.drafts.find(other.account.id, created.workflowId), undefined)
      assert.equal(await stores.drafts.save(other.account.id, created.workflowId, created), undefined)
      assert.equal(await stores.drafts.remove(other.account.id, created.workflowId), false)
      assert.deepEqual(await stores.drafts.find(owner.account.id, created.workflowId), created)
      assert.equal(await stores.drafts.remove(owner.account.id, created.workflowId), true)
      assert.equal(await stores.drafts.remove(owner.account.id, created.workflowId), false)
      assert.equal(await stores.drafts.save(owner.account.id, created.workflowId, created), undefined)
    })

    test('deleting a workflow deletes its draft', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      await stores.drafts.begin(draft({ accountId: account.id, projectId: saved.projectId, workflowId: saved.id }))
      await stores.workflows.remove(account.id, saved.id, 5)
      assert.equal(await stores.drafts.find(account.id, saved.id), undefined)
      assert.equal((await stores.drafts.list(account.id, firstPage, {})).total, 0)
    })

    test('a draft is in the project of its workflow, and can be found by a part of its name, case-insensitively', async (t) => {
      const { stores, owner } = await openSetup(t, { name: 'Drawn 100% Äpfel' })
      const elsewhere = project({ accountId: owner.account.id })
      await stores.projects.create(elsewhere)
      const ownDraft = { accountId: owner.account.id, projectId: owner.project.id, workflowId: owner.workflow.id }
      await stores.drafts.begin(draft({ ...ownDraft, name: 'A_b' }))
      await stores.workflows.replace({ ...owner.workflow, projectId: elsewhere.id, version: 2 }, document(), 1)
      const names = async (filter: DraftFilter) =>
        (await stores.drafts.list(owner.account.id, firstPage, filter)).items.map((each) => each.name).toSorted()
      assert.deepEqual(await names({ projectId: elsewhere.id }), ['A_b'])
      assert.deepEqual(await names({ projectId: owner.project.id }), ['Drawn 100% Äpfel'])
      assert.equal((await stores.drafts.find(owner.account.id, owner.workflow.id))?.projectId, elsewhere.id)
      assert.deepEqual(await names({ search: 'DRAWN' }), ['Drawn 100% Äpfel'])
      assert.deepEqual(await names({ search: '%' }), ['Drawn 100% Äpfel'])
      assert.deepEqual(await names({ search: 'äPF' }), ['Drawn 100% Äpfel'])
      assert.deepEqual(await names({ search: '_' }), ['A_b'])
      assert.deepEqual(await names({ search: 'a_B', projectId: owner.project.id }), [])
      assert.deepEqual(await names({ workflowId: owner.workflow.id }), ['A_b'])
      assert.deepEqual(await names({ workflowId: 'wf_0' }), [])
      assert.deepEqual(await names({ search: "'" }), [])
      assert.deepEqual(await names({ search: '\\' }), [])
    })

    test('creating or publishing with an Idempotency-Key is written with the key, once', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const record = (key: string): NewIdempotencyRecord => ({
        ...{ accountId: owner.account.id, key, method: 'POST', path: '/', fingerprint: 'f', createdAt: 1 },
      })
      const second = draft({ accountId: owner.account.id, projectId: owner.project.id })
      await stores.drafts.create(second, record('one'))
      assert.equal((await stores.idempotency.find(owner.account.id, 'one'))?.resourceId, second.workflowId)
      const third = draft({ accountId: owner.account.id, projectId: owner.project.id })
      await assert.rejects(stores.drafts.create(third, record('one')), IdempotencyKeyTaken)
      assert.equal(await stores.drafts.find(owner.account.id, third.workflowId), undefined)
      await assert.rejects(stores.drafts.publish(publication(published(created)), record('one')), IdempotencyKeyTaken)
      assert.deepEqual(await stores.drafts.find(owner.account.id, created.workflowId), created)
      const late = await stores.drafts.publish(publication(published(created), { revision: 9 }), record('two'))
      assert.equal(late, 'changed')
      assert.equal(await stores.idempotency.find(owner.account.id, 'two'), undefined)
      await stores.drafts.publish(publication(published(created)), record('two'))
      assert.equal((await stores.idempotency.find(owner.account.id, 'two'))?.resourceId, created.workflowId)
    })

    test('an execution of a draft keeps its document after the draft is gone, and other executions have none', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const reserved = { ...published(created), version: 0 }
      const run = execution(reserved, { isDraft: true, node: 'card' })
      await stores.executions.create(run, { document: document() })
      const other = execution(owner.workflow)
      await stores.executions.create(other)
      await stores.drafts.remove(owner.account.id, created.workflowId)
      assert.deepEqual(await stores.executions.find(owner.account.id, run.id), run)
      assert.deepEqual(await stores.executions.findDocument(run.id), document())
      assert.equal(await stores.executions.findDocument(other.id), undefined)
      assert.equal(await stores.executions.findDocument('exec_unknown'), undefined)
      const claimed = [await stores.executions.claimNext(5), await stores.executions.claimNext(5)]
      assert.deepEqual(
        claimed.map((each) => [each?.id, each?.isDraft, each?.node]).toSorted(),
        [
          [run.id, true, 'card'],
          [other.id, undefined, undefined],
        ].toSorted(),
      )
    })

    test('the workflow of a deleted draft that was never published is deleted with it, unless the draft was executed', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const { id: accountId } = owner.account
      const executed = draft({ accountId, projectId: owner.project.id })
      await stores.drafts.create(executed)
      const run = execution({ ...published(executed), version: 0 }, { isDraft: true })
      await stores.executions.create(run, { document: document() })
      const { total } = await stores.workflows.list(accountId, firstPage, {})
      for (const { workflowId } of [created, executed])
        assert.equal(await stores.drafts.remove(accountId, workflowId), true)
      assert.equal(await stores.workflows.findOwner(created.workflowId), undefined)
      assert.deepEqual(await stores.workflows.findOwner(executed.workflowId), {
        name: 'Drawn',
        projectId: owner.project.id,
        plan: owner.account.plan,
      })
      assert.equal((await stores.executions.find(accountId, run.id))?.workflowVersion, 0)
      assert.equal((await stores.drafts.list(accountId, firstPage, {})).total, 0)
      assert.equal((await stores.workflows.list(accountId, firstPage, {})).total, total)
      await stores.drafts.create(created)
      await assert.rejects(stores.drafts.create(executed), AlreadyExists)
    })

    test('the draft of a workflow with versions is deleted without the workflow', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      await stores.drafts.begin(draft({ accountId: account.id, projectId: saved.projectId, workflowId: saved.id }))
      assert.equal(await stores.drafts.remove(account.id, saved.id), true)
      assert.deepEqual(await stores.workflows.find(account.id, saved.id), saved)
    })

    test('an execution of a draft that is being deleted is recorded with its workflow, or refused', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const { id: accountId } = owner.account
      await stores.drafts.remove(accountId, created.workflowId)
      const gone = execution({ ...published(created), version: 0 }, { isDraft: true })
      const record = { accountId, key: 'one', method: 'POST', path: '/', fingerprint: 'f', createdAt: 1 }
      await assert.rejects(stores.executions.create(gone, { document: document(), record }), WorkflowGone)
      assert.equal(await stores.executions.find(accountId, gone.id), undefined)
      assert.equal(await stores.idempotency.find(accountId, 'one'), undefined)
      for (let round = 0; round < 10; round += 1) {
        const next = draft({ accountId, projectId: owner.project.id })
        await stores.drafts.create(next)
        const run = execution({ ...published(next), version: 0 }, { isDraft: true })
        const [recorded, removed] = await Promise.allSettled([
          stores.executions.create(run, { document: document() }),
          stores.drafts.remove(accountId, next.workflowId),
        ])
        assert.deepEqual(removed, { status: 'fulfilled', value: true })
        const isRecorded = recorded.status === 'fulfilled'
        assert.ok(isRecorded || recorded.reason instanceof WorkflowGone)
        assert.equal((await stores.executions.find(accountId, run.id)) !== undefined, isRecorded)
        assert.equal((await stores.workflows.findOwner(next.workflowId)) !== undefined, isRecorded)
      }
    })

    test('the newest output of each workflow is found, except those of runs to a node and of removed images', async (t) => {
      const { stores, owner, created } = await openSetup(t)
      const complete = async (of: Workflow, createdAt: number, fields = {}, content = document()) => {
        const running = execution(of, { createdAt, ...fields })
        await stores.executions.create(running, { document: running.isDraft ? content : undefined })
        const claimed = await stores.executions.claim(running.id, createdAt, { attemptsMax: 3, error: lostError })
        assert.ok(claimed)
        const result = success(claimed)
        await stores.executions.complete(running.id, claimed.attempt, result)
        return result
      }
      const last = async (...ids: string[]) =>
        new Map((await stores.executions.lastOutputs(owner.account.id, ids)).map((each) => [each.workflowId, each]))
      const ids = [owner.workflow.id, created.workflowId, 'wf_unknown']
      assert.equal((await last(...ids)).size, 0)
      assert.equal((await last()).size, 0)
      await complete(owner.workflow, 10)
      const newest = await complete(owner.workflow, 30)
      await complete(owner.workflow, 20)
      const drawn = await complete({ ...published(created), version: 0 }, 5, { isDraft: true })
      await complete({ ...published(created), version: 0 }, 50, { isDraft: true, node: 'card' })
      await stores.executions.create(execution(owner.workflow, { createdAt: 60 }))
      const found = await last(...ids)
      assert.deepEqual([...found.keys()].toSorted(), ids.slice(0, 2).toSorted())
      const { executionId, completedAt, output } = found.get(owner.workflow.id) ?? assert.fail()
      assert.deepEqual(output, newest.output)
      assert.equal(executionId, newest.image.executionId)
      assert.equal(completedAt, newest.completedAt)
      assert.deepEqual(found.get(created.workflowId)?.output, drawn.output)
      await stores.images.remove(owner.account.id, newest.image.id, 70)
      assert.deepEqual([...(await last(...ids)).keys()], [created.workflowId])
      const other = await tenant(stores)
      assert.deepEqual(await stores.executions.lastOutputs(other.account.id, ids), [])
    })

    for (const filtered of [false, true]) {
      listContract(filtered ? 'drafts of a project' : 'drafts', async (t) => {
        const stores = await open(t)
        const other = await tenant(stores)
        const owner = await tenant(stores)
        const add = async ({ account, project: home }: typeof owner, createdAt: number) => {
          const created = draft({ accountId: account.id, projectId: home.id, createdAt })
          await stores.drafts.create(created)
          return created.workflowId
        }
        const filter = filtered ? { projectId: owner.project.id } : {}
        return {
          add: (createdAt) => add(owner, createdAt),
          list: async (page) => {
            const { items, total } = await stores.drafts.list(owner.account.id, page, filter)
            return { items: items.map(({ workflowId: id, createdAt }) => ({ id, createdAt })), total }
          },
          addElsewhere: async (createdAt) => void (await add(other, createdAt)),
        }
      })
    }
  })
}

const lostError = { code: 'workflow_failed', message: '', details: {} } as const

function draft(fields: Partial<Draft> & Pick<Draft, 'accountId' | 'projectId'>): Draft {
  return {
    workflowId: newId('wf', 1),
    name: 'Drawn',
    baseVersion: 0,
    revision: 1,
    document: { name: 'Drawn', layout: [1.5] },
    createdAt: 40,
    updatedAt: 40,
    ...fields,
  }
}

/** The workflow of a published draft. */
function published({ workflowId: id, accountId, projectId }: Draft): Workflow {
  return workflow({ id, accountId, projectId, createdAt: 90, updatedAt: 90 })
}

function publication(of: Workflow, fields: Partial<Publication> = {}): Publication {
  return { workflow: of, document: document(), note: undefined, revision: 1, expectedVersion: 0, ...fields }
}
