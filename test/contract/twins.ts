/** The twin of an account, which has the records of its test keys, on both engines. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { actAs } from '../../src/domain/accounts/audit.ts'
import { isTestKey } from '../../src/domain/accounts/key.ts'
import { runningMax } from '../../src/domain/accounts/plan.ts'
import { liveAccountOf, ofLiveAccounts, twinOf } from '../../src/domain/accounts/twin.ts'
import type { BlobStore } from '../../src/domain/images/image.ts'
import { limits } from '../../src/limits.ts'
import { createAccountRemoval } from '../../src/services/accounts/account-removal.ts'
import { createAccounts } from '../../src/services/accounts/accounts.ts'
import { createKeys } from '../../src/services/accounts/keys.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { createRemoval, projectKeptMs } from '../../src/storage/database/retention/removal.ts'
import { execution, image, project, success, tenant } from './records.ts'

const now = 1_795_000_000_000

export function twinsContract(name: string, open: (t: TestContext) => Promise<Database>): void {
  const openSetup = async (t: TestContext) => {
    const { stores, kysely, dialect } = await open(t)
    const clock = { ms: now, now: () => clock.ms }
    const keys = createKeys({ ...stores, clock })
    const owner = await tenant(stores)
    const { key, text } = await keys.create(owner.account.id, { isTest: true })
    const signIn = async () => (await keys.authenticate(text))?.account
    return {
      stores,
      kysely,
      clock,
      keys,
      owner,
      key,
      signIn,
      accounts: createAccounts({ ...stores, clock }),
      removal: createRemoval({ db: kysely, dialect, clock }),
    }
  }

  describe(`test keys on ${name}`, () => {
    test('a test key belongs to the live account, and its requests act as the twin, which many requests create once', async (t) => {
      const { stores, owner, key, keys, signIn } = await openSetup(t)
      assert.ok(isTestKey(key))
      assert.equal(key.accountId, owner.account.id)
      const found = await Promise.all(Array.from({ length: 8 }, signIn))
      assert.deepEqual(new Set(found.map((each) => each?.id)), new Set([twinOf(owner.account.id)]))
      assert.equal((await stores.accounts.list()).length, 2)
      const { text } = await keys.create(owner.account.id)
      assert.equal((await keys.authenticate(text))?.account.id, owner.account.id)
      assert.equal(
        (await stores.quotas.read(twinOf(owner.account.id), ['storageBytes'], now))[0]?.limit,
        limits.testStorageBytesMax,
      )
    })

    test('plan, suspension and deletion of the account apply to the twin, and to its waiting executions', async (t) => {
      const { stores, owner, accounts, signIn } = await openSetup(t)
      const { id } = owner.account
      const twin = (await signIn()) ?? assert.fail()
      await accounts.setPlan(id, 'enterprise', 7)
      assert.deepEqual([(await signIn())?.plan, (await signIn())?.rateLimit], ['enterprise', 7])
      assert.equal((await stores.accounts.find(twin.id))?.plan, 'enterprise')
      const waiting = { ...execution(owner.workflow), accountId: twin.id }
      await stores.executions.create(waiting)
      await accounts.suspend(id)
      assert.notEqual((await signIn())?.suspendedAt, undefined)
      assert.equal((await stores.executions.find(twin.id, waiting.id))?.status, 'failed')
      await accounts.resume(id)
      assert.equal((await signIn())?.suspendedAt, undefined)
      for (const refused of [accounts.find(twin.id), accounts.suspend(twin.id), accounts.setPlan(twin.id, 'pro')])
        await assert.rejects(refused, /not found/)
      assert.deepEqual(
        (await accounts.list()).map((each) => each.id),
        [id],
      )
      await stores.accounts.markDeleted(id, now)
      assert.equal(await signIn(), undefined)
      assert.deepEqual((await stores.accounts.listDeleted(now)).sort(), [id, twin.id])
    })

    test('the twin has a smaller limit of running executions on each plan', async (t) => {
      const { kysely, owner, accounts, signIn } = await openSetup(t)
      const twin = (await signIn()) ?? assert.fail()
      const inQueue = async (id: string) =>
        Number(
          (
            await kysely
              .selectFrom('account_queues')
              .select('running_max')
              .where('account_id', '=', id)
              .executeTakeFirstOrThrow()
          ).running_max,
        )
      for (const plan of ['starter', 'pro', 'enterprise', 'free'] as const) {
        await accounts.setPlan(owner.account.id, plan)
        for (const { id } of [owner.account, twin]) assert.equal(await inQueue(id), runningMax({ id, plan }), plan)
      }
      assert.equal(runningMax({ id: twin.id, plan: 'pro' }), limits.testExecutionsRunningMax)
      await accounts.setPlan(owner.account.id, 'pro')
      await accounts.suspend(owner.account.id)
      assert.equal(await inQueue(twin.id), 0)
    })

    test('the account is removed although its twin has executed its workflows and stored images in its projects', async (t) => {
      const { stores, owner, clock, removal, signIn, kysely } = await openSetup(t)
      const { id } = owner.account
      const twin = (await signIn()) ?? assert.fail()
      const ran = { ...execution(owner.workflow), accountId: twin.id }
      await stores.executions.create(ran)
      await stores.images.create(image({ accountId: twin.id, projectId: owner.project.id, size: 5 }))
      const blobs = { remove: async () => undefined } as unknown as BlobStore
      const removals = createAccountRemoval({ ...stores, removal, blobs, removals: stores.blobRemovals, clock })
      await assert.rejects(removals.remove(twin.id), /not found/)
      const removed = await removals.remove(id)
      assert.deepEqual(
        [removed.isGone, removed.rows.accounts, removed.rows.executions, removed.storedBytes],
        [true, 1, 1, 5],
      )
      assert.deepEqual(await kysely.selectFrom('accounts').selectAll().execute(), [])
      assert.equal(await removals.removeMarked(100), 0)
    })

    test('a deleted project takes the images of test keys with it', async (t) => {
      const { stores, owner, clock, removal, signIn } = await openSetup(t)
      const twin = (await signIn()) ?? assert.fail()
      const old = project({ accountId: owner.account.id })
      await stores.projects.create(old)
      for (const accountId of [owner.account.id, twin.id])
        await stores.images.create(image({ accountId, projectId: old.id }))
      assert.equal(await stores.projects.markDeleted(owner.account.id, old.id, { movesTo: null, now }), true)
      clock.ms += projectKeptMs
      const { isGone, rows } = await removal.removeProject(old.id)
      assert.deepEqual([isGone, rows.images], [true, 2])
    })

    test('outputs of test keys in a private project are private, and changes are in the log of the account', async (t) => {
      const { stores, owner, signIn } = await openSetup(t)
      const twin = (await signIn()) ?? assert.fail()
      const secret = project({ accountId: owner.account.id, isPrivate: true })
      await stores.projects.create(secret)
      assert.equal((await signIn())?.hasPrivateImages, true)
      const made = image({ accountId: twin.id, projectId: secret.id })
      await stores.images.create(made)
      assert.equal((await stores.images.find(twin.id, made.id))?.requiresSignature, true)
      assert.equal(await stores.images.find(owner.account.id, made.id), undefined)
      await actAs({ type: 'service' }, () => stores.images.remove(twin.id, made.id, now))
      const page = { limit: 100, offset: 0 }
      const { items } = await stores.audit.list(owner.account.id, page, {})
      assert.ok(items.some(({ action, subject }) => action === 'image.delete' && subject === made.id))
      assert.equal((await stores.audit.list(twin.id, page, {})).items.length, 0)
    })

    test('records of the live account are the same for its twin', async (t) => {
      const { stores, owner, signIn } = await openSetup(t)
      const twin = (await signIn()) ?? assert.fail()
      const workflows = ofLiveAccounts(stores.workflows)
      assert.deepEqual(await workflows.find(twin.id, owner.workflow.id), owner.workflow)
      assert.equal((await workflows.list(twin.id, { limit: 9, offset: 0 }, {})).total, 1)
      const projects = ofLiveAccounts(stores.projects)
      const made = project({ accountId: twin.id })
      await projects.create(made)
      assert.equal((await stores.projects.find(owner.account.id, made.id))?.accountId, liveAccountOf(twin.id))
      // An execution of the twin claims its own images.
      const ran = { ...execution(owner.workflow), accountId: twin.id }
      await stores.executions.create(ran)
      const claimed = (await stores.executions.claimNext(1)) ?? assert.fail()
      assert.equal(claimed.accountId, twin.id)
      const done = success(claimed)
      assert.equal(await stores.executions.complete(claimed.id, claimed.attempt, done), true)
    })
  })
}
