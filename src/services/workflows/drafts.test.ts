import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tenant } from '../../../test/contract/records.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import { QuotaReached } from '../../domain/accounts/quota.ts'
import { systemClock } from '../../domain/clock.ts'
import { createChecker } from '../../engine/check/check.ts'
import { Fault } from '../../errors.ts'
import { catalogue } from '../../operations/index.ts'
import { createDocumentChecks } from './document-checks.ts'
import { createDrafts } from './drafts.ts'

test('a draft that is published between two reads is reported as gone, not as outdated', async (t) => {
  const { stores } = await newSqlite(t)
  const documents = createDocumentChecks({ ...stores, check: createChecker(catalogue) })
  const brands = { warningsOf: async () => [] }
  const shared = { ...stores, documents, brands, clock: systemClock }
  const first = createDrafts(shared)
  const { workflow } = await tenant(stores)
  const { accountId, projectId } = workflow
  const nodes = { sheet: { type: 'canvas', params: { width: 8, height: 6 } } }
  const { workflowId } = await first.create(accountId, {
    document: { name: 'A canvas', nodes, output: { node: 'sheet' } },
    projectId,
  })
  const second = createDrafts({
    ...shared,
    workflows: {
      ...stores.workflows,
      async find(...args) {
        const found = await stores.workflows.find(...args)
        if (found === undefined) await first.publish(accountId, workflowId)
        return found ?? (await stores.workflows.find(...args))
      },
    },
  })
  await assert.rejects(second.publish(accountId, workflowId), (error) => {
    assert.ok(error instanceof Fault)
    assert.equal(error.code, 'not_found', error.message)
    return true
  })
  assert.equal((await stores.workflows.find(accountId, workflowId))?.version, 1)
})

test('a quota that is reached is reported when a draft is created, started or published', async (t) => {
  const { stores } = await newSqlite(t)
  const { workflow } = await tenant(stores)
  const { accountId, id: workflowId } = workflow
  const refuse = async () => {
    throw new QuotaReached('drafts', { limit: 10_000, used: 10_000 })
  }
  const drafts = createDrafts({
    ...stores,
    drafts: { ...stores.drafts, create: refuse, begin: refuse, publish: refuse },
    documents: createDocumentChecks({ ...stores, check: createChecker(catalogue) }),
    brands: { warningsOf: async () => [] },
    clock: systemClock,
  })
  const nodes = { sheet: { type: 'canvas', params: { width: 8, height: 6 } } }
  const document = { name: 'A canvas', nodes, output: { node: 'sheet' } }
  const identity = { workflowId, accountId, projectId: workflow.projectId, baseVersion: 1, revision: 1 }
  const isRefused = (error: unknown) => {
    assert.ok(error instanceof Fault)
    assert.deepEqual([error.code, error.details], ['forbidden', { quota: 'drafts', limit: 10_000, used: 10_000 }])
    assert.match(error.message, /at most 10000 drafts/)
    return true
  }
  await assert.rejects(drafts.create(accountId, {}), isRefused)
  await assert.rejects(drafts.save(accountId, workflowId, document), isRefused)
  await stores.drafts.begin({ ...identity, name: 'A canvas', document, createdAt: 1, updatedAt: 1 })
  await assert.rejects(drafts.publish(accountId, workflowId), isRefused)
})
