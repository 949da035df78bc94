import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AlreadyExists } from '../../src/domain/already-exists.ts'
import type { Draft, DraftFilter, Publication } from '../../src/domain/draft.ts'
import { IdempotencyKeyTaken, type NewIdempotencyRecord } from '../../src/domain/idempotency.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Workflow } from '../../src/domain/workflow.ts'
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
  const began = async (t: Parameters<OpenStores>[0], fields: Partial<Draft> = {}) => {
    const stores = await open(t)
    const mine = await tenant(stores)
    const made = draft({ accountId: mine.account.id, projectId: mine.project.id, ...fields })
    await stores.drafts.create(made)
    return { stores, mine, made }
  }

  describe(`drafts on ${name}`, () => {
    test('a draft is returned as it was created, and its id belongs to no workflow yet', async (t) => {
      const odd = { name: 5, 'ünïcode \u0000': [null, { '\ud800': 1e308 }], nodes: 'no' }
      const { stores, mine, made } = await began(t, { document: odd })
      assert.deepEqual(await stores.drafts.find(mine.account.id, made.workflowId), made)
      assert.equal(await stores.workflows.find(mine.account.id, made.workflowId), undefined)
      assert.equal(await stores.workflows.findByName(mine.account.id, made.name), undefined)
      assert.equal((await stores.workflows.list(mine.account.id, { limit: 1, offset: 5 }, {})).total, 1)
      assert.equal((await stores.workflows.listVersions(made.workflowId, firstPage)).total, 0)
      assert.equal(await stores.workflows.findVersion(made.workflowId, 0), undefined)
      assert.deepEqual(await stores.workflows.findOwner(made.workflowId), { name: 'Drawn', projectId: mine.project.id })
    })

    test('a search in documents reads the drafts of the account', async (t) => {
      const { stores, mine, made } = await began(t, { document: { name: 'Drawn', nodes: [{ source: 'img_0_1' }] } })
      const other = await tenant(stores)
      const fields = { accountId: mine.account.id, projectId: mine.project.id, createdAt: 50 }
      const similar = draft({ ...fields, name: 'Similar', document: { note: 'img_0a1' } })
      await stores.drafts.create(similar)
      const elsewhere = draft({
        ...made,
        workflowId: newId('wf', 1),
        accountId: other.account.id,
        projectId: other.project.id,
      })
      await stores.drafts.create(elsewhere)
      const all = [made, similar, elsewhere].map(({ workflowId }) => workflowId)
      const { ids, bytes } = await stores.drafts.containing(mine.account.id, all, 'img_0_1')
      assert.deepEqual(ids, new Set([made.workflowId]))
      assert.equal(
        bytes,
        [made, similar].reduce((sum, each) => sum + JSON.stringify(each.document).length, 0),
      )
      assert.deepEqual(await stores.drafts.containing(mine.account.id, [], 'img_0_1'), { ids: new Set(), bytes: 0 })
    })

    test('creating a draft with an existing id fails and keeps the first one', async (t) => {
      const { stores, mine, made } = await began(t)
      await assert.rejects(stores.drafts.create({ ...made, name: 'Other' }), AlreadyExists)
      await assert.rejects(stores.drafts.create({ ...made, workflowId: mine.workflow.id }), AlreadyExists)
      assert.deepEqual(await stores.drafts.find(mine.account.id, made.workflowId), made)
      assert.equal(await stores.drafts.find(mine.account.id, mine.workflow.id), undefined)
    })

    test('a save changes document, name, time and revision in one statement, and only at the given revision', async (t) => {
      const { stores, mine, made } = await began(t)
      const save = (title: string, ifRevision?: number) =>
        stores.drafts.save(
          mine.account.id,
          made.workflowId,
          { name: title, document: { title }, updatedAt: 77 },
          ifRevision,
        )
      const { document: _, ...item } = made
      assert.deepEqual(await save('A'), { ...item, name: 'A', updatedAt: 77, revision: 2 })
      assert.equal(await save('B', 1), undefined)
      assert.deepEqual((await stores.drafts.find(mine.account.id, made.workflowId))?.document, { title: 'A' })
      assert.equal((await save('C', 2))?.revision, 3)
      const now = await stores.drafts.find(mine.account.id, made.workflowId)
      assert.deepEqual(now, { ...made, name: 'C', document: { title: 'C' }, updatedAt: 77, revision: 3 })
    })

    test('of concurrent saves at one revision exactly one is written', async (t) => {
      const { stores, mine, made } = await began(t)
      const saves = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          stores.drafts.save(mine.account.id, made.workflowId, { name: 'x', document: { i }, updatedAt: 1 }, 1),
        ),
      )
      const written = saves.filter((each) => each !== undefined)
      assert.deepEqual(
        written.map(({ revision }) => revision),
        [2],
      )
      const { document: saved } = (await stores.drafts.find(mine.account.id, made.workflowId)) ?? {}
      assert.deepEqual(saved, { i: saves.findIndex((each) => each !== undefined) })
    })

    test('a workflow has at most one draft, even if many are created concurrently', async (t) => {
      const stores = await open(t)
      const { account, project: home, workflow: saved } = await tenant(stores)
      const begin = (i: number) =>
        stores.drafts.begin(
          draft({ accountId: account.id, projectId: home.id, workflowId: saved.id, baseVersion: 1, document: { i } }),
        )
      const revisions = await Promise.all(Array.from({ length: 8 }, (_, i) => begin(i)))
      assert.deepEqual(
        revisions.filter((each) => each !== undefined),
        [1],
      )
      const found = await stores.drafts.find(account.id, saved.id)
      assert.deepEqual([found?.baseVersion, found?.revision], [1, 1])
      assert.deepEqual(found?.document, { i: revisions.indexOf(1) })
    })

    test('no draft is created for an unknown or deleted workflow of the account', async (t) => {
      const { stores, mine, made } = await began(t)
      const other = await tenant(stores)
      const begin = (workflowId: string) => stores.drafts.begin({ ...made, workflowId })
      await stores.drafts.remove(mine.account.id, made.workflowId)
      assert.equal(await begin(made.workflowId), undefined)
      assert.equal(await begin(other.workflow.id), undefined)
      assert.equal(await begin('wf_unknown'), undefined)
      await stores.workflows.remove(mine.account.id, mine.workflow.id, 1)
      assert.equal(await begin(mine.workflow.id), undefined)
    })

    test('the revisions of a workflow continue through all of its drafts', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const own = draft({ accountId: account.id, projectId: saved.projectId, workflowId: saved.id })
      const save = () => stores.drafts.save(account.id, saved.id, own)
      assert.equal(await stores.drafts.begin(own), 1)
      assert.equal((await save())?.revision, 2)
      assert.equal(await stores.drafts.remove(account.id, saved.id), true)
      assert.equal(await stores.drafts.begin(own), 3)
      assert.equal((await save())?.revision, 4)
      const next = { ...saved, version: 2 }
      assert.equal(await stores.drafts.publish(publication(next, { revision: 4, expectedVersion: 1 })), 'published')
      assert.equal(await stores.drafts.begin(own), 5)
      assert.equal(await stores.workflows.replace({ ...next, version: 3 }, document('x'), 2), true)
      assert.equal(await stores.drafts.remove(account.id, saved.id), true)
      assert.equal(await stores.drafts.begin(own), 6)
    })

    test('the first publication creates the workflow with its first version and deletes the draft', async (t) => {
      const { stores, mine, made } = await began(t)
      const first = published(made)
      assert.equal(await stores.drafts.publish(publication(first, { note: 'Begun' })), 'published')
      assert.equal(await stores.drafts.find(mine.account.id, made.workflowId), undefined)
      assert.deepEqual(await stores.workflows.find(mine.account.id, first.id), first)
      const version = { workflowId: first.id, version: 1, createdAt: 90, note: 'Begun' }
      assert.deepEqual(await stores.workflows.findVersion(first.id, 1), { ...version, document: document() })
      assert.deepEqual((await stores.workflows.listVersions(first.id, firstPage)).items, [version])
      const { total } = await stores.workflows.list(mine.account.id, { limit: 1, offset: 5 }, {})
      assert.equal(total, 2)
    })

    test('a further publication creates the next version, or none without a document', async (t) => {
      const stores = await open(t)
      const { account, workflow: saved } = await tenant(stores)
      const own = draft({ accountId: account.id, projectId: saved.projectId, workflowId: saved.id, baseVersion: 1 })
      await stores.drafts.begin(own)
      const second = { ...saved, name: 'Second', version: 2, updatedAt: 90 }
      assert.equal(await stores.drafts.publish(publication(second, { expectedVersion: 1 })), 'published')
      assert.deepEqual(await stores.workflows.find(account.id, saved.id), second)
      assert.equal((await stores.workflows.findVersion(saved.id, 2))?.note, undefined)
      await stores.drafts.begin(own)
      const same = publication(second, { expectedVersion: 2, revision: 2, document: undefined })
      assert.equal(await stores.drafts.publish(same), 'published')
      assert.equal(await stores.drafts.find(account.id, saved.id), undefined)
      assert.equal((await stores.workflows.listVersions(saved.id, firstPage)).total, 2)
    })

    test('a publication that is outdated or cannot be written changes nothing', async (t) => {
      const { stores, mine, made } = await began(t)
      const first = published(made)
      const stays = async () => {
        assert.deepEqual(await stores.drafts.find(mine.account.id, made.workflowId), made)
        assert.equal(await stores.workflows.find(mine.account.id, made.workflowId), undefined)
        assert.equal(await stores.workflows.findVersion(made.workflowId, 1), undefined)
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
      const own = draft({ accountId: account.id, projectId: saved.projectId, workflowId: saved.id, baseVersion: 1 })
      for (let round = 0; round < 5; round++) {
        const { version } = (await stores.workflows.find(account.id, saved.id)) ?? saved
        const revision = await stores.drafts.begin(own)
        assert.ok(revision !== undefined)
        const next = { ...saved, version: version + 1 }
        const publish = () => stores.drafts.publish(publication(next, { revision, expectedVersion: version }))
        const outcomes = await Promise.all([
          publish(),
          publish(),
          stores.drafts.remove(account.id, saved.id),
          stores.drafts.save(account.id, saved.id, own),
          stores.workflows.replace(next, document('Replaced'), version),
        ])
        const made = outcomes.filter((each) => each === 'published').length + (outcomes[4] ? 1 : 0)
        assert.equal((await stores.workflows.find(account.id, saved.id))?.version, version + made)
        assert.equal((await stores.workflows.listVersions(saved.id, firstPage)).total, version + made)
        await stores.drafts.remove(account.id, saved.id)
      }
    })

    test('only the account of a draft can save, publish and delete it, and once', async (t) => {
      const { stores, mine, made } = await began(t)
      const other = await tenant(stores)
      assert.equal(await stores.drafts.find(other.account.id, made.workflowId), undefined)
      assert.equal(await stores.drafts.save(other.account.id, made.workflowId, made), undefined)
      assert.equal(await stores.drafts.remove(other.account.id, made.workflowId), false)
      assert.deepEqual(await stores.drafts.find(mine.account.id, made.workflowId), made)
      assert.equal(await stores.drafts.remove(mine.account.id, made.workflowId), true)
      assert.equal(await stores.drafts.remove(mine.account.id, made.workflowId), false)
      assert.equal(await stores.drafts.save(mine.account.id, made.workflowId, made), undefined)
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
      const { stores, mine } = await began(t, { name: 'Drawn 100% Äpfel' })
      const elsewhere = project({ accountId: mine.account.id })
      await stores.projects.create(elsewhere)
      const own = { accountId: mine.account.id, projectId: mine.project.id, workflowId: mine.workflow.id }
      await stores.drafts.begin(draft({ ...own, name: 'A_b' }))
      await stores.workflows.replace({ ...mine.workflow, projectId: elsewhere.id, version: 2 }, document(), 1)
      const names = async (filter: DraftFilter) =>
        (await stores.drafts.list(mine.account.id, firstPage, filter)).items.map((each) => each.name).toSorted()
      assert.deepEqual(await names({ projectId: elsewhere.id }), ['A_b'])
      assert.deepEqual(await names({ projectId: mine.project.id }), ['Drawn 100% Äpfel'])
      assert.equal((await stores.drafts.find(mine.account.id, mine.workflow.id))?.projectId, elsewhere.id)
      assert.deepEqual(await names({ search: 'DRAWN' }), ['Drawn 100% Äpfel'])
      assert.deepEqual(await names({ search: '%' }), ['Drawn 100% Äpfel'])
      assert.deepEqual(await names({ search: 'äPF' }), ['Drawn 100% Äpfel'])
      assert.deepEqual(await names({ search: '_' }), ['A_b'])
      assert.deepEqual(await names({ search: 'a_B', projectId: mine.project.id }), [])
      assert.deepEqual(await names({ workflowId: mine.workflow.id }), ['A_b'])
      assert.deepEqual(await names({ workflowId: 'wf_0' }), [])
      assert.deepEqual(await names({ search: "'" }), [])
    })

    test('creating or publishing with an Idempotency-Key is written with the key, once', async (t) => {
      const { stores, mine, made } = await began(t)
      const record = (key: string): NewIdempotencyRecord => ({
        ...{ accountId: mine.account.id, key, method: 'POST', path: '/', fingerprint: 'f', createdAt: 1 },
      })
      const second = draft({ accountId: mine.account.id, projectId: mine.project.id })
      await stores.drafts.create(second, record('one'))
      assert.equal((await stores.idempotency.find(mine.account.id, 'one'))?.resourceId, second.workflowId)
      const third = draft({ accountId: mine.account.id, projectId: mine.project.id })
      await assert.rejects(stores.drafts.create(third, record('one')), IdempotencyKeyTaken)
      assert.equal(await stores.drafts.find(mine.account.id, third.workflowId), undefined)
      await assert.rejects(stores.drafts.publish(publication(published(made)), record('one')), IdempotencyKeyTaken)
      assert.deepEqual(await stores.drafts.find(mine.account.id, made.workflowId), made)
      const late = await stores.drafts.publish(publication(published(made), { revision: 9 }), record('two'))
      assert.equal(late, 'changed')
      assert.equal(await stores.idempotency.find(mine.account.id, 'two'), undefined)
      await stores.drafts.publish(publication(published(made)), record('two'))
      assert.equal((await stores.idempotency.find(mine.account.id, 'two'))?.resourceId, made.workflowId)
    })

    test('an execution of a draft keeps its document after the draft is gone, and other executions have none', async (t) => {
      const { stores, mine, made } = await began(t)
      const reserved = { ...published(made), version: 0 }
      const run = execution(reserved, { isDraft: true, node: 'card' })
      await stores.executions.create(run, { document: document() })
      const other = execution(mine.workflow)
      await stores.executions.create(other)
      await stores.drafts.remove(mine.account.id, made.workflowId)
      assert.deepEqual(await stores.executions.find(mine.account.id, run.id), run)
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

    test('the newest output of each workflow is found, except those of runs to a node and of removed images', async (t) => {
      const { stores, mine, made } = await began(t)
      const complete = async (of: Workflow, createdAt: number, fields = {}, kept = document()) => {
        const begun = execution(of, { createdAt, ...fields })
        await stores.executions.create(begun, { document: begun.isDraft ? kept : undefined })
        const claimed = await stores.executions.claim(begun.id, createdAt, { attemptsMax: 3, error: lostError })
        assert.ok(claimed)
        const result = success(claimed)
        await stores.executions.complete(begun.id, claimed.attempt, result)
        return result
      }
      const last = async (...ids: string[]) =>
        new Map((await stores.executions.lastOutputs(mine.account.id, ids)).map((each) => [each.workflowId, each]))
      const ids = [mine.workflow.id, made.workflowId, 'wf_unknown']
      assert.equal((await last(...ids)).size, 0)
      assert.equal((await last()).size, 0)
      await complete(mine.workflow, 10)
      const newest = await complete(mine.workflow, 30)
      await complete(mine.workflow, 20)
      const drawn = await complete({ ...published(made), version: 0 }, 5, { isDraft: true })
      await complete({ ...published(made), version: 0 }, 50, { isDraft: true, node: 'card' })
      await stores.executions.create(execution(mine.workflow, { createdAt: 60 }))
      const found = await last(...ids)
      assert.deepEqual([...found.keys()].toSorted(), ids.slice(0, 2).toSorted())
      const { executionId, completedAt, output } = found.get(mine.workflow.id) ?? assert.fail()
      assert.deepEqual(output, newest.output)
      assert.equal(executionId, newest.image.executionId)
      assert.equal(completedAt, newest.completedAt)
      assert.deepEqual(found.get(made.workflowId)?.output, drawn.output)
      await stores.images.remove(mine.account.id, newest.image.id, 70)
      assert.deepEqual([...(await last(...ids)).keys()], [made.workflowId])
      const other = await tenant(stores)
      assert.deepEqual(await stores.executions.lastOutputs(other.account.id, ids), [])
    })

    for (const filtered of [false, true]) {
      listContract(filtered ? 'drafts of a project' : 'drafts', async (t) => {
        const stores = await open(t)
        const other = await tenant(stores)
        const mine = await tenant(stores)
        const add = async ({ account, project: home }: typeof mine, createdAt: number) => {
          const made = draft({ accountId: account.id, projectId: home.id, createdAt })
          await stores.drafts.create(made)
          return made.workflowId
        }
        const filter = filtered ? { projectId: mine.project.id } : {}
        return {
          add: (createdAt) => add(mine, createdAt),
          list: async (page) => {
            const { items, total } = await stores.drafts.list(mine.account.id, page, filter)
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
