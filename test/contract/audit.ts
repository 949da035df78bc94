/** The audit log: every change of a store has an entry in its transaction, and nothing changes entries. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, type AuditEntry, actAs, auditActionNames } from '../../src/domain/accounts/audit.ts'
import { newId } from '../../src/domain/ids.ts'
import type { Draft } from '../../src/domain/workflows/draft.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { disableEndpoint } from '../../src/storage/database/sql/webhook-records.ts'
import { batch } from './batches.ts'
import { signingKey } from './delivery.ts'
import {
  account,
  characters,
  document,
  font,
  image,
  key,
  project,
  readAll,
  tenant,
  unwritableDocument,
  workflow,
} from './records.ts'
import { session } from './sessions.ts'
import { endpointOf } from './webhooks.ts'

const now = 1_795_000_000_000
const bounds = { channelsMax: 3, movesMax: 5, ofWorkflowMax: 100 }
const live = {}
const actor: Actor = { type: 'key', keyId: 'key_1', address: '192.0.2.7' }
const every = { limit: 1_000, offset: 0 }

export function auditContract(name: string, open: (t: TestContext) => Promise<Database>): void {
  /** An account, and its entries since then, oldest first. */
  async function openSetup(t: TestContext) {
    const database = await open(t)
    const { stores } = database
    const owner = await tenant(stores)
    const accountId = owner.account.id
    const known = new Set((await stores.audit.list(accountId, every, {})).items.map(({ id }) => id))
    const entries = async (): Promise<AuditEntry[]> => {
      const { items } = await stores.audit.list(accountId, every, {})
      return items.filter(({ id }) => !known.has(id)).reverse()
    }
    return { ...database, ...owner, accountId, entries }
  }

  describe(`the audit log on ${name}`, () => {
    test('every kind of change has an entry with the actor, and no entry has a secret', async (t) => {
      const { stores, kysely, accountId, project: home, entries } = await openSetup(t)
      const ids = { accountId, projectId: home.id }
      const secrets: string[] = []
      const keep = (...texts: string[]) => secrets.push(...texts)
      const subjects = new Set<string>()
      await actAs(actor, async () => {
        await stores.accounts.update(accountId, { plan: 'starter' })
        const [first, second] = [key({ accountId }), key({ accountId })]
        keep(first.hash, second.hash)
        await stores.keys.create(first, live)
        assert.equal(await stores.keys.replace(first.id, now + 9, second, live), true)
        await stores.keys.update(second.id, {
          name: 'agent',
          dailyBudget: 1,
          monthlyBudget: null,
          executionsPerMinute: null,
          exampleImageId: null,
          expiresAt: now + 10,
        })
        await stores.keys.revoke(second.id, now + 1)
        const [signing, next] = [signingKey(accountId), signingKey(accountId)]
        keep(signing.secret)
        await stores.signingKeys.create(signing, live)
        await stores.signingKeys.update(accountId, signing.id, { ...signing, name: 'site' })
        assert.equal(await stores.signingKeys.replace(signing.id, now + 9, next, live), true)
        const opened = session(first)
        keep(opened.hash)
        await stores.sessions.create(opened, { ofKeyMax: 3 })
        await stores.sessions.remove(opened.hash)
        const created = project({ accountId })
        await stores.projects.create(created)
        await stores.projects.update(accountId, created.id, { name: 'Autumn', updatedAt: now })
        const moving = { movesTo: home.id, now }
        assert.equal(await stores.projects.markDeleted(accountId, created.id, moving), true)
        await stores.brands.save({ accountId, projectId: null, values: {}, updatedAt: now })
        const card = workflow(ids)
        await stores.workflows.create(card, document())
        await stores.workflows.replace({ ...card, version: 2 }, document('Second'), 1)
        await stores.workflows.setSlug(accountId, card.id, 'card', now)
        const move = { workflowId: card.id, name: 'live', from: null, isRollback: false, movedAt: now }
        await stores.channels.move(accountId, { ...move, version: 1 }, bounds)
        await stores.channels.move(accountId, { ...move, version: null, from: 1 }, bounds)
        const [published, dropped] = [draft(ids), draft(ids)]
        await stores.drafts.create(published)
        await stores.drafts.create(dropped)
        const version = { workflow: workflow({ ...ids, id: published.workflowId }), document: document() }
        await stores.drafts.publish({ ...version, note: undefined, revision: 1, expectedVersion: 0 })
        await stores.drafts.remove(accountId, dropped.workflowId)
        await stores.workflows.remove(accountId, card.id, now)
        const photo = image({ accountId })
        await stores.images.create(photo)
        await stores.images.update(accountId, photo.id, { isPrivate: true })
        await stores.images.removeSome(accountId, { ids: [photo.id] }, 1, now, { toBin: true })
        await stores.bin.restore(accountId, [photo.id])
        await stores.images.remove(accountId, photo.id, now)
        const face = font({ accountId })
        await stores.fonts.create(face, characters)
        await stores.fonts.remove(accountId, face.id, now)
        const cards = batch({ accountId, id: published.workflowId }, { webhookUrl: 'https://example.com/s3cret' })
        keep('s3cret')
        await stores.batches.create(cards)
        await stores.batches.update(accountId, cards.id, { name: 'More cards' })
        const cancelled = { status: 'cancelled', at: now } as const
        assert.equal(await stores.batches.changeStatus(accountId, cards.id, ['created'], cancelled), true)
        await stores.batches.settle(cards.id)
        assert.equal(await stores.batches.remove(accountId, cards.id, now), true)
        const endpoint = endpointOf(accountId, { url: 'https://user:pa55word@hooks.example/T0KEN?x=T1KEN' })
        keep(endpoint.secret, 'pa55word', 'T0KEN', 'T1KEN', 'whsec_')
        await stores.webhookEndpoints.create(endpoint)
        await stores.webhookEndpoints.update(accountId, endpoint.id, () => ({ description: 'Orders' }))
        await stores.webhookEndpoints.remove(accountId, endpoint.id)
        const secret = { secret: 'whsec_a', previous: null, previousUntil: null }
        await stores.webhookEndpoints.changeAccountSecret(accountId, 'whsec_b', () => secret)
        for (const { id } of [first, signing, created, card, photo, face, cards, endpoint]) subjects.add(id)
      })
      const found = await entries()
      const made = new Set(found.map(({ action }) => action))
      // The account was created before.
      assert.deepEqual(
        auditActionNames.filter((action) => !made.has(action)),
        ['account.create'],
      )
      for (const entry of found) {
        assert.deepEqual(entry.actor, actor, entry.action)
        assert.equal(
          entry.before === null,
          /create|start|upload|restore/.test(entry.action) || firstOf(entry),
          entry.action,
        )
        assert.equal(entry.after === null, /delete|end$|bin$/.test(entry.action), entry.action)
        subjects.delete(entry.subject)
      }
      assert.deepEqual([...subjects], [])
      const rows = JSON.stringify(await kysely.selectFrom('audit_log').selectAll().execute())
      for (const text of secrets) assert.ok(!rows.includes(text), text)
    })

    test('entries show when images expire, and the defaults of a project', async (t) => {
      const { stores, project: home, accountId, entries } = await openSetup(t)
      const times = { uploadsExpireIn: 86_400, outputsExpireIn: null, updatedAt: now }
      await stores.projects.update(accountId, home.id, times)
      const photo = { ...image({ accountId }), expiresAt: now }
      await stores.images.create(photo)
      await stores.images.remove(accountId, photo.id, now)
      const [update, upload, remove] = await entries()
      const shown = (facts: AuditEntry['before'] = null) => [facts?.uploadsExpireIn, facts?.outputsExpireIn]
      assert.deepEqual(
        [shown(update?.before), shown(update?.after)],
        [
          [null, null],
          [86_400, null],
        ],
      )
      assert.deepEqual(
        [upload?.after?.expiresAt, remove?.before?.expiresAt],
        [new Date(now).toISOString(), new Date(now).toISOString()],
      )
    })

    test('an entry has the state before and after, with hashes of documents', async (t) => {
      const { stores, workflow: saved, accountId, entries } = await openSetup(t)
      await stores.workflows.replace({ ...saved, name: 'Card', version: 2 }, document('Card'), 1)
      await stores.workflows.remove(accountId, saved.id, now)
      const [save, remove] = await entries()
      const { document: first, ...before } = save?.before ?? {}
      const { document: second, ...after } = save?.after ?? {}
      const facts = { slug: null, projectId: saved.projectId }
      assert.deepEqual(before, { name: 'Launch card', version: 1, ...facts })
      assert.deepEqual(after, { name: 'Card', version: 2, ...facts })
      assert.match(String(first), /^sha256:[0-9a-f]{64}$/)
      assert.match(String(second), /^sha256:[0-9a-f]{64}$/)
      assert.notEqual(first, second)
      assert.deepEqual([remove?.action, remove?.before, remove?.after], ['workflow.delete', save?.after, null])
      assert.deepEqual(remove?.actor, { type: 'service' })
    })

    test('a change that fails, or changes nothing, has no entry', async (t) => {
      const { stores, workflow: saved, accountId, entries } = await openSetup(t)
      const other = await tenant(stores)
      await assert.rejects(stores.workflows.replace({ ...saved, version: 2 }, unwritableDocument(), 1))
      await assert.rejects(stores.workflows.create(workflow(saved), unwritableDocument()))
      assert.equal(await stores.workflows.replace({ ...saved, version: 3 }, document(), 2), false)
      assert.equal(await stores.images.remove(accountId, 'img_none', now), undefined)
      const foreign = image({ accountId: other.account.id })
      await stores.images.create(foreign)
      assert.equal(await stores.images.remove(accountId, foreign.id, now), undefined)
      assert.equal(
        await stores.projects.update(other.account.id, saved.projectId, { name: 'x', updatedAt: now }),
        false,
      )
      const kept = key({ accountId })
      await stores.keys.create(kept)
      await stores.keys.noteUse(kept.id, now)
      await stores.keys.revoke(kept.id, now)
      await stores.keys.revoke(kept.id, now + 1)
      assert.deepEqual(
        (await entries()).map(({ action }) => action),
        ['key.create', 'key.revoke'],
      )
    })

    test('changes at the same time each have their own actor', async (t) => {
      const { stores, accountId, entries } = await openSetup(t)
      const photos = Array.from({ length: 20 }, () => image({ accountId }))
      await Promise.all(
        photos.map(({ id }, i) =>
          actAs({ type: 'key', keyId: `key_${id}` }, () => stores.images.create(photos[i] ?? assert.fail())),
        ),
      )
      const found = await entries()
      assert.equal(found.length, photos.length)
      for (const { subject, actor: by } of found) assert.equal(by.keyId, `key_${subject}`)
    })

    test('the database refuses to change an entry', async (t) => {
      const { kysely, stores, accountId } = await openSetup(t)
      const read = () => stores.audit.list(accountId, every, {})
      const before = await read()
      assert.ok(before.items.length > 0)
      const change = sql`update audit_log set action = 'image.delete'`
      await assert.rejects(change.execute(kysely), /entries of the audit log cannot be changed/)
      assert.deepEqual(await read(), before)
    })

    test('entries are found by action, record, key and time, page by page, and those of others never', async (t) => {
      const { stores, accountId } = await openSetup(t)
      const other = await tenant(stores)
      const photos = [image({ accountId }), image({ accountId }), image({ accountId })]
      for (const photo of photos) await actAs(actor, () => stores.images.create(photo))
      const list = (filter: Parameters<typeof stores.audit.list>[2]) =>
        readAll((page) => stores.audit.list(accountId, page, filter), 2)
      const [oldest = assert.fail(), middle = assert.fail()] = photos
      const uploads = await list({ action: 'image.upload' })
      assert.deepEqual(uploads.map(({ subject }) => subject).sort(), photos.map(({ id }) => id).sort())
      assert.equal((await list({ keyId: 'key_1' })).length, 3)
      assert.equal((await list({ subject: middle.id })).length, 1)
      const at = (await list({ subject: oldest.id }))[0]?.createdAt ?? assert.fail()
      assert.equal((await list({ subject: oldest.id, createdAfter: at, createdBefore: at + 1 })).length, 1)
      assert.equal((await list({ subject: oldest.id, createdAfter: at + 1 })).length, 0)
      assert.equal((await list({ subject: oldest.id, createdBefore: at })).length, 0)
      const { items, next } = await stores.audit.list(accountId, { limit: 2, offset: 0 }, {})
      const { items: rest } = await stores.audit.list(accountId, { ...every, after: next ?? assert.fail() }, {})
      assert.deepEqual([...items, ...rest], await list({}))
      assert.ok((await list({})).every((entry) => entry.accountId !== other.account.id))
    })

    test('the deletion of a project is one entry, which says what became of its contents', async (t) => {
      const { stores, accountId, project: home, entries } = await openSetup(t)
      for (const movesTo of [home.id, null]) {
        const gone = project({ accountId })
        await stores.projects.create(gone)
        await stores.workflows.create(workflow({ accountId, projectId: gone.id }), document())
        const already = (await entries()).length
        assert.equal(await stores.projects.markDeleted(accountId, gone.id, { movesTo, now }), true)
        const [entry = assert.fail(), ...others] = (await entries()).slice(already)
        assert.deepEqual([entry.action, entry.subject, entry.after, others], ['project.delete', gone.id, null, []])
        const { name, contents, moveTo } = entry.before ?? {}
        const fate = movesTo === null ? ['delete', undefined] : ['move', home.id]
        assert.deepEqual([name, contents, moveTo], [gone.name, ...fate])
      }
    })

    test('the service is the actor of an endpoint that it disables', async (t) => {
      const { stores, kysely, accountId, entries } = await openSetup(t)
      const endpoint = endpointOf(accountId)
      await stores.webhookEndpoints.create(endpoint)
      await kysely.transaction().execute((trx) => disableEndpoint(trx, accountId, endpoint.id, 'gone', now))
      const disabled = (await entries()).at(-1)
      assert.deepEqual([disabled?.action, disabled?.actor], ['webhookEndpoint.update', { type: 'service' }])
      assert.equal(disabled?.after?.disabledReason, 'gone')
    })

    test('a new account has its first entry', async (t) => {
      const { stores } = await open(t)
      const created = account()
      await actAs({ type: 'command', command: 'accounts create' }, () => stores.accounts.create(created))
      const [entry] = (await stores.audit.list(created.id, every, {})).items
      assert.equal(entry?.action, 'account.create')
      assert.deepEqual(entry?.actor, { type: 'command', command: 'accounts create' })
    })
  })
}

/** Brand values, a channel and a published draft can be new. */
function firstOf({ action, before }: AuditEntry): boolean {
  return before === null && ['brand.save', 'channel.move', 'workflow.publish'].includes(action)
}

function draft(fields: Pick<Draft, 'accountId' | 'projectId'>): Draft {
  return {
    ...fields,
    workflowId: newId('wf', now),
    name: 'Drawn',
    baseVersion: 0,
    revision: 1,
    document: {},
    createdAt: now,
    updatedAt: now,
  }
}
