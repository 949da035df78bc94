/** Signing keys, the files of delivery URLs, and the budget of a signing key. */

import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { QuotaSettings } from '../../src/domain/accounts/quota.ts'
import { blobKeyOf } from '../../src/domain/blob-key.ts'
import {
  type DerivedFile,
  DerivedFileTaken,
  derivedKey,
  type NewDerivedFile,
} from '../../src/domain/delivery/derived-file.ts'
import { newSigningSecret, type SigningKey } from '../../src/domain/delivery/signing-key.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Workflow } from '../../src/domain/workflows/workflow.ts'
import { assertRefused } from './quotas.ts'
import { execution, firstPage, ids, image, lost, maximum, type OpenStores, success, tenant } from './records.ts'

const now = 1_795_000_000_000
const bounds = {}
const variant = 'v'.repeat(43)
const _hourMs = 3_600_000

export function signingKey(accountId: string, fields: Partial<SigningKey> = {}): SigningKey {
  const id = newId('skey', now)
  return {
    id,
    accountId,
    name: 'Website',
    secret: newSigningSecret(),
    workflowIds: null,
    images: true,
    monthlyBudget: null,
    budgetId: id,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  }
}

const claimOf = (workflow: Workflow, fields: Partial<NewDerivedFile> = {}): NewDerivedFile => ({
  key: derivedKey(workflow, variant),
  ownerId: workflow.id,
  maxAge: 60,
  readsUrls: false,
  isPaid: false,
  redirects: false,
  replaces: null,
  ...fields,
})

export function deliveryContract(name: string, open: OpenStores): void {
  async function openSetup(t: TestContext, options?: { quotas: QuotaSettings }) {
    const stores = await open(t, options)
    const { account, workflow, project } = await tenant(stores)
    const key = signingKey(account.id)
    await stores.signingKeys.create(key, bounds)
    const { executions, derivedFiles } = stores
    const urlOf = (fields: object = {}) => ({ keyId: key.id, workflow: workflow.id, variant, ...fields })
    return {
      ...{ stores, account, workflow, project, key, urlOf },
      find: (fields: object = {}) => derivedFiles.findWorkflowUrl(urlOf(fields)),
      /** Records an execution for the file. */
      async claim(fields: Partial<NewDerivedFile> = {}) {
        const derivedFile = claimOf(workflow, fields)
        const started = execution(workflow, { keyId: key.id, derivedKey: derivedFile.key, outputFormat: 'webp' })
        await executions.create(started, { derivedFile })
        return started
      },
      async complete(started: { id: string }, size = 100) {
        const run = await executions.claim(started.id, now, { attemptsMax: 3, error: lost })
        assert.ok(run)
        const result = success(run, { size })
        const derived = { ...result, derivedKey: run.derivedKey }
        assert.equal(await executions.complete(run.id, run.attempt, derived), true)
        return { ...result.image, attempt: run.attempt }
      },
      /** Adds a file of an image that is stored before, unless there is `ownerId`. */
      async addImageFile({ size = 1_000, ...fields }: Partial<Omit<DerivedFile, 'image'>> & { size?: number } = {}) {
        const owner = image({ accountId: account.id })
        if (fields.ownerId === undefined) await stores.images.create(owner)
        const { id, format, width, height, sha256 } = image({ accountId: account.id })
        const file = {
          key: `img_${id}/v`,
          ownerId: owner.id,
          accountId: account.id,
          executionId: null,
          image: { id, format, size, width, height, sha256 },
          ...{ maxAge: 0, readsUrls: false, isPaid: false, redirects: false, createdAt: now, usedAt: now },
          ...fields,
        }
        const added = await derivedFiles.add(file)
        assert.ok(added)
        return added
      },
    }
  }

  describe(`signing keys on ${name}`, () => {
    test('a key is found as it was created, only by its account, and listed newest first', async (t) => {
      const { stores, account, key, workflow } = await openSetup(t)
      const { signingKeys } = stores
      const full = signingKey(account.id, {
        workflowIds: [workflow.id],
        images: false,
        monthlyBudget: 5_000_000,
        createdAt: now + 1,
        expiresAt: now + 9,
        lastUsedAt: null,
      })
      await signingKeys.create(full, bounds)
      assert.deepEqual(await signingKeys.find(account.id, full.id), full)
      assert.equal(await signingKeys.find('acct_other', full.id), undefined)
      const { items, total } = await signingKeys.list(account.id, firstPage)
      assert.deepEqual([items, total], [[full, key], 2])
    })

    test('an account has at most as many valid keys as allowed; revoked and expired keys do not count', async (t) => {
      const { stores, account, key } = await openSetup(t, maximum('signingKeys', 1))
      const { signingKeys } = stores
      const quota = { quota: 'signingKeys', limit: 1 } as const
      const create = () => signingKeys.create(signingKey(account.id), bounds)
      assertRefused(await Promise.allSettled([create()]), 1, quota)
      assert.deepEqual(ids((await signingKeys.list(account.id, firstPage)).items), [key.id])
      await signingKeys.revoke(account.id, key.id, now - 1)
      assertRefused(await Promise.allSettled([create(), create(), create()]), 2, quota)
    })

    test('settings are replaced, and a revoked key is not revoked again', async (t) => {
      const { stores, account, key } = await openSetup(t)
      const { signingKeys } = stores
      const settings = { name: 'New', workflowIds: ['wf_1'], images: false, monthlyBudget: 7 }
      assert.equal(await signingKeys.update(account.id, key.id, settings), true)
      assert.equal(await signingKeys.update('acct_other', key.id, settings), false)
      await signingKeys.revoke(account.id, key.id, now + 5)
      await signingKeys.revoke(account.id, key.id, now + 9)
      await signingKeys.touch(key.id, now + 7)
      const changed = { ...key, ...settings, revokedAt: now + 5, lastUsedAt: now + 7 }
      assert.deepEqual(await signingKeys.find(account.id, key.id), changed)
    })

    test('of concurrent replacements of a key one succeeds, and the old key ends at the given time', async (t) => {
      const { stores, account, key } = await openSetup(t)
      const { signingKeys } = stores
      const next = Array.from({ length: 4 }, () => signingKey(account.id, { budgetId: key.budgetId }))
      const replaced = await Promise.all(next.map((each) => signingKeys.replace(key.id, now - 1, each, bounds)))
      assert.deepEqual(replaced.toSorted(), [false, false, false, true])
      assert.equal((await signingKeys.find(account.id, key.id))?.revokedAt, now - 1)
      assert.deepEqual(ids((await signingKeys.list(account.id, firstPage)).items).length, 2)
    })
  })

  describe(`files of delivery URLs on ${name}`, () => {
    test('one look-up finds key, workflow and file, by slug and id, version and channel', async (t) => {
      const { stores, workflow, key, find, claim, complete, account } = await openSetup(t)
      await stores.workflows.setSlug(account.id, workflow.id, 'card', now)
      const nothing = await find()
      assert.deepEqual(nothing?.workflow, {
        id: workflow.id,
        projectId: workflow.projectId,
        isPrivate: false,
        version: 1,
      })
      assert.deepEqual([nothing?.key.secret, nothing?.plan, nothing?.file], [key.secret, account.plan, undefined])
      const started = await claim()
      const pending = await find()
      assert.deepEqual([pending?.file?.image, pending?.file?.execution?.status], [null, 'pending'])
      const made = await complete(started)
      for (const url of [{}, { version: 1 }, { workflow: 'card' }, { workflow: 'card', version: 1 }]) {
        const found = await find(url)
        assert.deepEqual([found?.file?.image?.id, found?.file?.executionId], [made.id, started.id])
        assert.deepEqual(found?.file?.execution, { status: 'completed', completedAt: now + 9_000 })
      }
      assert.equal((await find({ channel: 'live' }))?.workflow, undefined)
      assert.equal((await find({ version: 2 }))?.workflow, undefined)
      assert.equal((await find({ workflow: 'other' }))?.workflow, undefined)
      assert.equal((await find({ variant: 'x' }))?.file, undefined)
      assert.equal(await find({ keyId: 'skey_other' }), undefined)
    })

    test('a workflow of another account, or a deleted one, is not found', async (t) => {
      const { stores, workflow, account, urlOf } = await openSetup(t)
      const other = signingKey((await tenant(stores)).account.id)
      await stores.signingKeys.create(other, bounds)
      assert.equal((await stores.derivedFiles.findWorkflowUrl(urlOf({ keyId: other.id })))?.workflow, undefined)
      await stores.workflows.remove(account.id, workflow.id, now)
      assert.equal((await stores.derivedFiles.findWorkflowUrl(urlOf()))?.workflow, undefined)
    })

    test('of concurrent executions for a file one is recorded', async (t) => {
      const { stores, claim, workflow } = await openSetup(t)
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => claim()))
      const reasons = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      assert.equal(reasons.length, 7)
      for (const each of reasons) assert.ok(each instanceof DerivedFileTaken, String(each))
      assert.equal((await stores.executions.list(workflow.accountId, firstPage, {})).items.length, 1)
    })

    test('the output of its execution is the file, and not an image in storage', async (t) => {
      const { stores, account, claim, complete } = await openSetup(t)
      const made = await complete(await claim())
      assert.equal((await stores.images.list(account.id, firstPage, {})).total, 0)
      assert.equal(await stores.images.find(account.id, made.id), undefined)
      assert.equal((await stores.images.findPublic(made.id))?.sha256, made.sha256)
      assert.deepEqual(await stores.derivedFiles.existing([made.id, 'img_other']), new Set([made.id]))
    })

    test('another execution replaces a file if the former one is named, and the former bytes are removed', async (t) => {
      const { stores, find, claim, complete } = await openSetup(t)
      const first = await claim()
      const old = await complete(first)
      const again = await claim({ replaces: first.id, maxAge: 5, readsUrls: true, redirects: true })
      await assert.rejects(claim({ replaces: first.id }), DerivedFileTaken)
      // The former file stays until then.
      assert.deepEqual([(await find())?.file?.image?.id, (await find())?.file?.executionId], [old.id, again.id])
      const made = await complete(again)
      const { file } = (await find()) ?? {}
      assert.deepEqual([file?.image?.id, file?.maxAge, file?.readsUrls, file?.redirects], [made.id, 5, true, true])
      const removals = await stores.blobRemovals.list(100)
      assert.ok(JSON.stringify(removals).includes(blobKeyOf(old)))
      assert.ok(!JSON.stringify(removals).includes(blobKeyOf(made)))
    })

    test('a file that is added twice is the first one', async (t) => {
      const { addImageFile } = await openSetup(t)
      const first = await addImageFile({ key: 'img_1/v' })
      assert.deepEqual(await addImageFile({ key: 'img_1/v' }), first)
    })

    test('a file of an image that was deleted while it was made is not added', async (t) => {
      const { stores, account, addImageFile } = await openSetup(t)
      const { derivedFiles, images } = stores
      const stored = image({ accountId: account.id })
      await images.create(stored)
      const file = await addImageFile({ ownerId: stored.id })
      assert.ok(file.image)
      await images.remove(account.id, stored.id, now)
      assert.equal(await derivedFiles.add({ ...file, image: file.image }), undefined)
    })

    test('a size of an image is found with the image and its privacy, and removed with it', async (t) => {
      const { stores, account, key, addImageFile, project } = await openSetup(t)
      const { derivedFiles, images, projects } = stores
      const stored = image({ accountId: account.id, projectId: project.id })
      await images.create(stored)
      const url = { keyId: key.id, imageId: stored.id, variant }
      assert.equal((await derivedFiles.findImageUrl(url))?.image?.id, stored.id)
      const file = await addImageFile({ key: derivedKey({ id: stored.id }, variant), ownerId: stored.id })
      assert.equal((await derivedFiles.findImageUrl(url))?.file?.image?.id, file.image?.id)
      await projects.update(account.id, project.id, { isPrivate: true, updatedAt: now })
      assert.equal((await derivedFiles.findImageUrl(url))?.image?.requiresSignature, true)
      assert.equal((await images.findPublic(file.image?.id ?? ''))?.requiresSignature, true)
      assert.equal((await images.find(account.id, stored.id))?.requiresSignature, true)
      await images.remove(account.id, stored.id, now)
      assert.deepEqual(await derivedFiles.existing([file.image?.id ?? '']), new Set())
      assert.equal((await derivedFiles.findImageUrl(url))?.image, undefined)
      assert.equal(await derivedFiles.findImageUrl({ ...url, keyId: 'acct_unknown' }), undefined)
    })

    test('a file whose bytes are missing is forgotten, and can be made again', async (t) => {
      const { stores, find, claim, complete } = await openSetup(t)
      const made = await complete(await claim())
      await stores.derivedFiles.forget(made.id)
      assert.equal((await find())?.file, undefined)
      await complete(await claim())
    })
  })
}
