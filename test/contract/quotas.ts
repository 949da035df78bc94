import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { type Quota, QuotaReached } from '../../src/domain/accounts/quota.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Draft } from '../../src/domain/workflows/draft.ts'
import { limits } from '../../src/limits.ts'
import type { Database, OpenOptions } from '../../src/storage/database/open.ts'
import { document, firstPage, project, tenant, workflow } from './records.ts'

type OpenDatabase = (t: TestContext, options?: OpenOptions) => Promise<Database>

export function quotasContract(name: string, open: OpenDatabase): void {
  describe(`quotas on ${name}`, () => {
    test('an account has at most 10,000 workflows, however they are created at the same time', async (t) => {
      const { stores, kysely } = await open(t)
      const owner = await tenant(stores)
      const ids = { accountId: owner.account.id, projectId: owner.project.id }
      const published = draft(ids)
      await stores.drafts.create(published)
      // The tenant has one workflow.
      await addWorkflows(kysely, ids, limits.workflowsMax - 2)
      const create = (of = ids) => stores.workflows.create(workflow(of), document())
      const outcomes = await Promise.allSettled([create(), create(), create()])
      assertRefused(outcomes, 2, { quota: 'workflows', limit: 10_000 })
      assert.equal(await totalOf(), limits.workflowsMax)

      const publish = () => {
        const first = workflow({ ...ids, id: published.workflowId })
        const of = { note: undefined, revision: 1, expectedVersion: 0 }
        return stores.drafts.publish({ workflow: first, document: document(), ...of })
      }
      await assert.rejects(publish(), QuotaReached)
      assert.deepEqual(await stores.drafts.find(ids.accountId, published.workflowId), published)
      assert.equal(await stores.workflows.replace({ ...owner.workflow, version: 2 }, document('Next'), 1), true)
      const other = await tenant(stores)
      await create({ accountId: other.account.id, projectId: other.project.id })

      await stores.workflows.remove(ids.accountId, owner.workflow.id, 1)
      assert.equal(await publish(), 'published')
      await assert.rejects(create(), QuotaReached)
      assert.equal(await totalOf(), limits.workflowsMax)

      async function totalOf(): Promise<number> {
        return (await stores.workflows.list(ids.accountId, firstPage, {})).total
      }
    })

    test('an account has at most 10,000 drafts, of new and of saved workflows', async (t) => {
      const { stores, kysely } = await open(t)
      const owner = await tenant(stores)
      const ids = { accountId: owner.account.id, projectId: owner.project.id }
      await addWorkflows(kysely, ids, limits.draftsMax - 1)
      await sql`insert into drafts select id, account_id, name, version, 1, '{}', 1, 1 from workflows
        where id <> ${owner.workflow.id}`.execute(kysely)
      const begin = () => stores.drafts.begin(draft({ ...ids, workflowId: owner.workflow.id, baseVersion: 1 }))
      const create = () => stores.drafts.create(draft(ids))
      const outcomes = await Promise.allSettled([create(), create()])
      assertRefused(outcomes, 1, { quota: 'drafts', limit: 10_000 })
      assert.equal((await stores.drafts.list(ids.accountId, firstPage, {})).total, limits.draftsMax)

      await assert.rejects(begin(), QuotaReached)
      await stores.workflows.remove(ids.accountId, `${fillerPrefix}1`, 1)
      assert.notEqual(await begin(), undefined)
      await assert.rejects(create(), QuotaReached)
    })

    test('an account has at most 10,000 projects, however they are created at the same time', async (t) => {
      const { stores, kysely } = await open(t)
      const owner = await tenant(stores)
      const { id: accountId } = owner.account
      // The tenant has one project.
      await sql`insert into projects (id, account_id, name, description, is_default, is_private, created_at, updated_at)
        with recursive ${numbers(limits.projectsMax - 2)}
        select 'proj_filler_' || i, ${sql.lit(accountId)}, 'Filler', '', 0, 0, 1, 1 from numbers`.execute(kysely)
      const create = (fields = {}) => stores.projects.create(project({ accountId, ...fields }))
      const outcomes = await Promise.allSettled([create(), create({ isPrivate: true }), create()])
      assertRefused(outcomes, 2, { quota: 'projects', limit: 10_000 })
      assert.equal((await stores.projects.list(accountId, firstPage)).total, limits.projectsMax)
      await stores.projects.create(project({ accountId: (await tenant(stores)).account.id }))
    })

    test('workflows that use one another and drafts of them are created at the same time', async (t) => {
      const { stores } = await open(t)
      const owner = await tenant(stores)
      const ids = { accountId: owner.account.id, projectId: owner.project.id }
      const uses = [{ name: 'used', workflowId: owner.workflow.id, version: 1 }]
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([
          stores.workflows.create({ ...workflow(ids), uses }, document()),
          stores.drafts.begin(draft({ ...ids, workflowId: owner.workflow.id, baseVersion: 1 })),
          stores.workflows.create({ ...workflow(ids), uses }, document()),
        ])
        await stores.drafts.remove(ids.accountId, owner.workflow.id)
      }
    })
  })
}

interface Ids {
  accountId: string
  projectId: string
}

const fillerPrefix = 'wf_filler_'

async function addWorkflows(kysely: Database['kysely'], { accountId, projectId }: Ids, count: number): Promise<void> {
  await sql`insert into workflows
    with recursive ${numbers(count)}
    select ${sql.lit(fillerPrefix)} || i, ${sql.lit(accountId)}, ${sql.lit(projectId)}, null, 'Filler', '', 1, 0, 1, 1, null
    from numbers`.execute(kysely)
}

/** A table for `with recursive`, with the column `i` from 1 to `count`. */
function numbers(count: number) {
  return sql`numbers (i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(count)})`
}

/** Expects that `count` of the outcomes are `QuotaReached` with this quota and limit, and that no other error is among them. */
export function assertRefused(
  outcomes: PromiseSettledResult<unknown>[],
  count: number,
  expected: { quota: Quota; limit: number; resetsAt?: string },
): void {
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  assert.equal(errors.length, count)
  for (const error of errors) {
    assert.ok(error instanceof QuotaReached, String(error))
    assert.deepEqual(error.details, { used: expected.limit, ...expected })
  }
}

function draft(fields: Ids & Partial<Draft>): Draft {
  const times = { createdAt: 1, updatedAt: 1 }
  return { workflowId: newId('wf', 1), name: 'New', baseVersion: 0, revision: 1, document: {}, ...times, ...fields }
}
