import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { type TestContext, test } from 'node:test'
import type { Kysely, KyselyPlugin } from 'kysely'
import { execution, tenant } from '../../../test/contract/records.ts'
import { defaultRetention, retentionOf } from '../../../test/harness/retention.ts'
import { newSqlite } from '../../../test/harness/sqlite.ts'
import type { BatchState } from '../../domain/batches/batch.ts'
import type { PageRequest } from '../../domain/page.ts'
import type { Draft } from '../../domain/workflows/draft.ts'
import { sqliteDialect } from './dialect.ts'
import { createStores, type Stores } from './open.ts'
import { retentionKinds } from './retention/kinds.ts'
import { createRemoval } from './retention/removal.ts'
import type { Schema } from './schema.ts'

const error = { code: 'workflow_failed', message: '', details: {} } as const
const page: PageRequest = { limit: 1, offset: 0 }
/** The first page, a later one and one of a cursor are different queries, so a test runs all of them. */
const pageStarts = [
  { offset: 0, after: undefined },
  { offset: 1, after: undefined },
  { offset: 0, after: { value: 9, id: 'i' } },
]
const days = { from: '2026-11-01', to: '2026-11-30' }
const rows = { id: 'b', upload: 1 }
const state = { ...rows, total: 9, counts: {} } as BatchState
const claimAll = { max: 10, leaseMs: 1, exceptQueues: [], exceptAccounts: [], roomFor: () => 1 }
/** The index of a primary key or of a unique column. */
const unique = 'sqlite_autoindex_'

/** Queries of the stores, and the index that each uses. */
const queries: [index: string, run: (stores: Stores) => Promise<unknown>][] = [
  [unique, ({ accounts }) => accounts.find('a')],
  ['accounts_oldest', ({ accounts }) => accounts.list()],
  [unique, ({ accounts }) => accounts.update('a', { plan: 'pro' })],
  [unique, ({ accounts }) => accounts.markDeleted('a', 1)],
  ['accounts_deleted', ({ accounts }) => accounts.listDeleted(1)],
  [unique, ({ keys }) => keys.find('k')],
  [unique, ({ keys }) => keys.findByHash('h')],
  ['keys_newest', ({ keys }) => keys.list()],
  ['keys_of_account_newest', ({ keys }) => keys.list('a')],
  ['keys_of_account_newest', ({ keys }) => keys.listPage('a', page)],
  [unique, ({ keys }) => keys.noteUse('k', 1)],
  [unique, ({ keys }) => keys.revoke('k', 1)],
  ['keys_of_account_ending', ({ quotas }) => quotas.read('a', ['keys', 'signingKeys'], 1)],
  [unique, ({ projects }) => projects.find('a', 'p')],
  ['projects_one_default', ({ projects }) => projects.findDefault('a')],
  ['projects_newest', ({ projects }) => projects.list('a', page)],
  [unique, ({ projects }) => projects.markDeleted('a', 'p', { movesTo: null, now: 1 })],
  ['projects_deleted', ({ projects }) => projects.listDeleted()],
  [unique, ({ brands }) => brands.find('a', 'p')],
  [unique, ({ brands }) => brands.findBoth({ accountId: 'a', projectId: 'p' })],
  [unique, ({ brands }) => brands.save({ accountId: 'a', projectId: 'p', values: {}, updatedAt: 1 }, 1)],
  [unique, ({ workflows }) => workflows.find('a', 'w')],
  ['workflows_by_name', ({ workflows }) => workflows.findByName('a', 'n')],
  ['workflows_by_slug', ({ workflows }) => workflows.findBySlug('a', 's')],
  [unique, ({ workflows }) => workflows.setSlug('a', 'w', 's', 1)],
  ['workflows_newest', ({ workflows }) => workflows.list('a', page, {})],
  ['workflows_of_project_newest', ({ workflows }) => workflows.list('a', page, { projectId: 'p' })],
  ['workflows_newest', ({ workflows }) => workflows.list('a', page, { search: 'n' })],
  ['workflows_of_project_newest', ({ workflows }) => workflows.list('a', page, { projectId: 'p', search: 'n' })],
  [unique, ({ workflows }) => workflows.containing('a', ['w', 'x'], 'img_1')],
  [unique, ({ brands }) => brands.containing('a', ['a', 'p'], 'img_1')],
  [unique, ({ workflows }) => workflows.findVersion('w', 1)],
  [unique, ({ workflows }) => workflows.findOwner('w')],
  [unique, ({ workflows }) => workflows.uses('w', 1)],
  ['workflow_users_newest', ({ workflows }) => workflows.users('w', 1)],
  [unique, ({ workflows }) => workflows.listVersions('w', page)],
  [unique, ({ workflows }) => workflows.remove('a', 'w', 1)],
  [unique, ({ channels }) => channels.find('w', 'live')],
  [unique, ({ channels }) => channels.list('w')],
  [unique, ({ channels }) => channels.listMoves('w', 'live', page)],
  [unique, ({ drafts }) => drafts.find('a', 'w')],
  [unique, ({ drafts }) => drafts.begin({ workflowId: 'w', accountId: 'a', document: {} } as Draft)],
  ['drafts_newest', ({ drafts }) => drafts.list('a', page, {})],
  ['drafts_newest', ({ drafts }) => drafts.list('a', page, { projectId: 'p', search: 'n' })],
  [unique, ({ drafts }) => drafts.containing('a', ['w', 'x'], 'img_1')],
  [unique, ({ drafts }) => drafts.save('a', 'w', { name: 'n', document: {}, updatedAt: 1 })],
  [unique, ({ drafts }) => drafts.save('a', 'w', { name: 'n', document: {}, updatedAt: 1 }, 1)],
  [unique, ({ drafts }) => drafts.remove('a', 'w')],
  [unique, ({ images }) => images.find('a', 'i')],
  [unique, ({ images }) => images.findPublic('i')],
  ['images_by_hash', ({ images }) => images.findByHash('a', 'h')],
  ['images_newest', ({ images }) => images.list('a', page, {})],
  ['images_of_project_newest', ({ images }) => images.list('a', page, { projectId: 'p' })],
  [unique, ({ images }) => images.remove('a', 'i', 1)],
  ['images_newest', ({ images }) => images.list('a', page, {}, 'oldest')],
  ['images_newest', ({ images }) => images.list('a', page, { search: 's' })],
  ['images_by_size', ({ images }) => images.list('a', page, {}, 'largest')],
  ['images_by_size', ({ images }) => images.list('a', page, {}, 'smallest')],
  ['images_by_name', ({ images }) => images.list('a', page, { projectId: 'p', search: 's' }, 'name')],
  ['images_uploaded_newest', ({ images }) => images.list('a', page, { source: 'upload' })],
  ['images_of_executions_newest', ({ images }) => images.list('a', page, { source: 'output' })],
  ['images_by_size', ({ images }) => images.list('a', page, { source: 'upload', search: 's' }, 'smallest')],
  [
    'images_of_project_newest',
    ({ images }) => images.list('a', page, { projectId: 'p', source: 'upload', search: 's' }),
  ],
  ['images_newest', ({ images }) => images.list('a', page, { createdAfter: 1, createdBefore: 9, search: 's' })],
  ['images_newest', ({ images }) => images.count('a', { createdBefore: 1 })],
  ['images_newest', ({ images }) => images.removeSome('a', { search: 's' }, 1, 1)],
  [unique, ({ fonts }) => fonts.find('a', 'f')],
  ['fonts_newest', ({ fonts }) => fonts.list('a', page)],
  ['fonts_newest', ({ quotas }) => quotas.read('a', ['fonts'], 1)],
  [unique, ({ fonts }) => fonts.remove('a', 'f', 1)],
  [unique, ({ executions }) => executions.find('a', 'e')],
  ['executions_newest', ({ executions }) => executions.list('a', page, {})],
  ['executions_of_workflow_newest', ({ executions }) => executions.list('a', page, { workflowId: 'w' })],
  ['executions_in_status_newest', ({ executions }) => executions.list('a', page, { status: 'failed' })],
  ['executions_running', ({ executions }) => executions.list('a', page, { status: 'running' })],
  [
    'executions_of_workflow_in_status_newest',
    ({ executions }) => executions.list('a', page, { workflowId: 'w', status: 'failed' }),
  ],
  ['executions_newest', ({ executions }) => executions.list('a', page, { createdAfter: 1, createdBefore: 9 })],
  [
    'executions_of_workflow_in_status_newest',
    ({ executions }) => executions.list('a', page, { workflowId: 'w', status: 'failed', createdAfter: 1 }),
  ],
  ['executions_of_workflow_in_status_newest', ({ executions }) => executions.lastOutputs('a', ['w', 'v'])],
  ['executions_in_status_newest', ({ executions }) => executions.recentRuns('a', 50, 1_000)],
  [unique, ({ executions }) => executions.findDocument('e')],
  [unique, ({ executions }) => executions.listSteps('e')],
  [unique, ({ executions }) => executions.findSnapshot('a', 'e')],
  [unique, ({ executions }) => executions.readEvents('a', 'e', 0)],
  ['account_queues_next', ({ executions }) => executions.countPending()],
  ['executions_waiting', ({ executions }) => executions.waitingByPlan()],
  ['account_queues_next', ({ executions }) => executions.claimNext(1)],
  ['account_queues_last', ({ executions }) => executions.claimNext(1)],
  ['account_queues_next', ({ executions }) => executions.claimNext(1, { except: ['a', 'b'] })],
  [unique, ({ executions }) => executions.saveSteps('e', 1, [])],
  [unique, ({ executions }) => executions.fail('e', 1, { error, steps: [], completedAt: 1 })],
  [unique, ({ executions }) => executions.claim('e', 1, { attemptsMax: 3, error })],
  [unique, ({ executions }) => executions.whichRun([{ executionId: 'e', attempt: 1 }])],
  [unique, ({ executions }) => executions.cancel('e', { error, completedAt: 1 })],
  [unique, ({ executions }) => executions.release('e', 1, 25)],
  ['executions_running', ({ executions }) => executions.recover({ attemptsMax: 1, error, now: 1 })],
  [unique, ({ bin }) => bin.find('a', 'i')],
  ['binned_images_newest', ({ bin }) => bin.list('a', page)],
  [unique, ({ bin }) => bin.restore('a', ['i', 'j'])],
  ['binned_images_newest', ({ bin }) => bin.remove('a', undefined, 1, 1)],
  [unique, ({ images }) => images.findAll(['i', 'j'])],
  [unique, ({ batches }) => batches.find('a', 'b', 1)],
  [unique, ({ batches }) => batches.find('a', 'b', 1)],
  ['executions_of_batch_open', ({ batches }) => batches.find('a', 'b', 1)],
  ['batches_newest', ({ batches }) => batches.list('a', page, {}, 1)],
  ['batches_newest', ({ batches }) => batches.list('a', page, { status: 'running', workflowId: 'w' }, 1)],
  ['batches_of_account', ({ quotas }) => quotas.read('a', ['batches', 'batchesRunning', 'batchRows'], 1)],
  [unique, ({ batches }) => batches.update('a', 'b', { name: 'n' })],
  [unique, ({ batches }) => batches.changeStatus('a', 'b', ['created'], { status: 'running', at: 1 })],
  [unique, ({ batches }) => batches.remove('a', 'b', 1)],
  ['batches_active', ({ batches }) => batches.listActive(1, 1)],
  [unique, ({ batches }) => batches.claim('b', 'r', { now: 1, until: 2 })],
  ['batches_active', ({ batches }) => batches.releaseAll('r')],
  ['executions_of_batch_open', ({ batches }) => batches.openExecutions('b', 1)],
  [unique, ({ batches }) => batches.complete(rows, 1)],
  ['batches_idle', ({ batches }) => batches.expire(1, 1, 1)],
  [unique, ({ batchItems }) => batchItems.beginUpload('b', { now: 1, until: 2 })],
  [unique, ({ batchItems }) => batchItems.list(state, page)],
  ['batch_items_in_state', ({ batchItems }) => batchItems.list(state, page, 'failed')],
  ['batch_items_open', ({ batchItems }) => batchItems.list(state, page, 'pending')],
  ['batch_items_of_execution', ({ batchItems }) => batchItems.list(state, page, 'running')],
  ['batch_items_by_key', ({ batchItems }) => batchItems.find(rows, 'k')],
  [unique, ({ batchItems }) => batchItems.readAfter(rows, 1, 1)],
  [unique, ({ batchItems }) => Array.fromAsync(batchItems.pick(rows, [1, 2]))],
  ['batch_items_ended', ({ batchItems }) => batchItems.readEnded(rows, { endedAt: 1, row: 1 }, 1)],
  ['batch_items_by_key', ({ batchItems }) => batchItems.update(rows, 'k', {})],
  ['batch_items_open', ({ batchItems }) => batchItems.nextWaiting(rows, 1)],
  ['batch_items_open', ({ batchItems }) => batchItems.cancelWaiting(rows, 1, 1)],
  [unique, ({ images }) => images.existing(['i', 'j'])],
  [unique, ({ images }) => images.update('a', 'i', { isPrivate: false })],
  [unique, ({ signingKeys }) => signingKeys.find('a', 's')],
  [
    unique,
    ({ signingKeys }) => signingKeys.update('a', 's', { name: '', workflowIds: null, images: true, monthlyBudget: 1 }),
  ],
  [unique, ({ signingKeys }) => signingKeys.revoke('a', 's', 1)],
  [unique, ({ signingKeys }) => signingKeys.touch('s', 1)],
  ['signing_keys_of_account_newest', ({ signingKeys }) => signingKeys.list('a', page)],
  [unique, ({ derivedFiles }) => derivedFiles.findWorkflowUrl({ keyId: 'k', workflow: 'wf_1', variant: 'v' })],
  [
    'workflows_by_slug',
    ({ derivedFiles }) => derivedFiles.findWorkflowUrl({ keyId: 'k', workflow: 's', variant: 'v' }),
  ],
  [
    unique,
    ({ derivedFiles }) => derivedFiles.findWorkflowUrl({ keyId: 'k', workflow: 's', channel: 'c', variant: 'v' }),
  ],
  [unique, ({ derivedFiles }) => derivedFiles.findImageUrl({ keyId: 'k', imageId: 'i', variant: 'v' })],
  [unique, ({ derivedFiles }) => derivedFiles.findImageUrl({ keyId: 'acct_1', imageId: 'i', variant: 'v' })],
  [unique, ({ derivedFiles }) => derivedFiles.touch('k', 1)],
  [unique, ({ derivedFiles }) => derivedFiles.forget('i')],
  [unique, ({ derivedFiles }) => derivedFiles.existing(['i', 'j'])],
  [unique, ({ fonts }) => fonts.existing(['f', 'g'])],
  [unique, ({ stepResults }) => stepResults.find('a', ['k', 'l'])],
  [unique, ({ stepResults }) => stepResults.touch('a', ['k', 'l'], 1)],
  [unique, ({ stepResults }) => stepResults.remove('a', 'k', 1)],
  [unique, ({ stepResults }) => stepResults.findCheckpoints('a', ['e', 'f'])],
  ['step_results_of_blob', ({ stepResults }) => stepResults.existing(['b', 'c'])],
  ['previews_of_key', ({ previews }) => previews.find('a', ['k', 'l'], 1)],
  [unique, ({ previews }) => previews.touch(['p', 'q'], 1)],
  [unique, ({ previews }) => previews.existing(['p', 'q'])],
  [unique, ({ idempotency }) => idempotency.find('a', 'k')],
  [unique, ({ providerCalls }) => providerCalls.accept('c', {}, null, 1)],
  [unique, ({ providerCalls }) => providerCalls.update('c', {}, 1)],
  [unique, ({ providerCalls }) => providerCalls.end('c', { state: 'failed', costMicros: 0, costSource: null }, 1)],
  [unique, ({ providerCalls }) => providerCalls.at(['e', 'f'], { node: 'n', item: -1, ordinal: 0 })],
  [unique, ({ providerCalls }) => providerCalls.endedOf('e')],
  ['provider_calls_open', ({ providerCalls }) => providerCalls.listOrphaned(1, 1)],
  [unique, ({ providerCalls }) => providerCalls.existing(['call_c_0.png', 'call_d_0.png'])],
  [unique, ({ providerCalls }) => providerCalls.usage('a', { from: '2026-11-01', to: '2026-11-30' })],
  [unique, ({ providerCalls }) => providerCalls.spentOf('a', '2026-11')],
  [unique, ({ sessions }) => sessions.findByHash('h')],
  [unique, ({ sessions }) => sessions.update('h', { lastUsedAt: 1, expiresAt: 1 })],
  [unique, ({ sessions }) => sessions.remove('h')],
  [unique, ({ activity }) => activity.requestsOf('a', days)],
  ['executions_ended', ({ activity }) => activity.executionsOf('a', days)],
  ['executions_ended', ({ activity }) => activity.closeNextDay('a', '2026-11-01')],
  [unique, ({ webhookEndpoints }) => webhookEndpoints.find('a', 'w')],
  ['webhook_endpoints_newest', ({ webhookEndpoints }) => webhookEndpoints.list('a', page)],
  [unique, ({ webhookEndpoints }) => webhookEndpoints.update('a', 'w', () => ({ url: 'u' }))],
  [unique, ({ webhookEndpoints }) => webhookEndpoints.remove('a', 'w')],
  [unique, ({ webhookDeliveries }) => webhookDeliveries.find('a', 'w')],
  ['audit_log_newest', ({ audit }) => audit.list('a', page, { createdAfter: 1, createdBefore: 2 })],
  ['audit_log_of_action_newest', ({ audit }) => audit.list('a', page, { action: 'image.upload', createdAfter: 1 })],
  ['audit_log_of_subject_newest', ({ audit }) => audit.list('a', page, { subject: 'i' })],
  ['audit_log_of_subject_newest', ({ audit }) => audit.list('a', page, { subject: 'i', action: 'image.upload' })],
  ['audit_log_of_action_and_key_newest', ({ audit }) => audit.list('a', page, { action: 'key.create', keyId: 'k' })],
  ['audit_log_of_key_newest', ({ audit }) => audit.list('a', page, { keyId: 'k' })],
  ['webhook_deliveries_newest', ({ webhookDeliveries }) => webhookDeliveries.list('a', page, {})],
  [
    'webhook_deliveries_of_endpoint_newest',
    ({ webhookDeliveries }) => webhookDeliveries.list('a', page, { endpointId: 'e' }),
  ],
  [
    'webhook_deliveries_in_status_newest',
    ({ webhookDeliveries }) => webhookDeliveries.list('a', page, { status: 'failed' }),
  ],
  [
    'webhook_deliveries_of_endpoint_in_status_newest',
    ({ webhookDeliveries }) => webhookDeliveries.list('a', page, { endpointId: 'e', status: 'failed' }),
  ],
  [unique, ({ webhookDeliveries }) => webhookDeliveries.replay('a', 'w', 1)],
  ['webhook_queues_next', ({ webhookDeliveries }) => webhookDeliveries.claim(1, claimAll)],
  ['webhook_queues_ending', ({ webhookDeliveries }) => webhookDeliveries.endSome(1)],
  [unique, ({ webhookDeliveries }) => webhookDeliveries.budgets('2026-11', null)],
  ['keys_ending', ({ webhookDeliveries }) => webhookDeliveries.expiringKeys(1, 2, 3)],
  ['blob_removals_oldest', ({ blobRemovals }) => blobRemovals.list(10, 1)],
  [unique, ({ blobRemovals }) => blobRemovals.postpone(['k'], 1)],
  [unique, ({ blobRemovals }) => blobRemovals.done('k')],
]

/** Queries of the retention, and the index that finds the rows of a part. */
const retained: Record<string, string[]> = {
  'provider-calls': ['provider_calls_ended'],
  'idempotency-keys': ['idempotency_keys_oldest'],
  sessions: ['sessions_expiring'],
  'ended-keys': ['keys_ending', 'keys_of_account_ending'],
  'ended-signing-keys': ['signing_keys_ending', 'signing_keys_of_account_ending'],
  'step-checkpoints': ['step_checkpoints_oldest', 'step_checkpoints_of_account_oldest'],
  'step-results': ['step_results_least_used'],
  previews: ['previews_least_used', 'previews_of_account_least_used'],
  'execution-events': ['execution_events_ended'],
  'completed-executions': ['executions_ended'],
  'failed-executions': ['executions_ended'],
  'execution-brands': ['execution_brands_least_used', 'executions_of_brand'],
  'files-of-expired-images': ['images_expiring', 'derived_files_of_owner'],
  'files-from-expired-images': ['images_expiring', 'derived_file_images_of_image'],
  'results-of-expired-images': ['images_expiring', 'step_result_images_of_image'],
  'expired-images': ['images_expiring'],
  'expired-binned-images': ['binned_images_expiring'],
  'binned-images': ['binned_images_oldest'],
  'sent-notices': ['webhook_notices_oldest'],
  'audit-log': ['audit_log_oldest'],
  'webhook-deliveries': ['webhook_deliveries_ended', 'webhook_deliveries_of_account_ended'],
  'webhook-queues': [],
  'derived-files': ['derived_files_least_used'],
  'files-of-deleted-workflows': ['derived_files_of_owner'],
  'channel-moves': [unique],
  'deleted-workflows': [],
  'rows-of-deleted-batches': ['batches_with_leftovers'],
  'replaced-rows': ['batches_with_leftovers'],
  'abandoned-rows': ['batches_with_leftovers'],
  'deleted-batches': ['batches_with_leftovers'],
}

/** Lists of everything there is: to go through the whole of their index is what they are for. */
const wholeLists = [
  'accounts_deleted',
  'projects_deleted',
  'accounts_oldest',
  'keys_newest',
  'account_queues_next',
  'account_queues_last',
  'executions_running',
  'executions_waiting',
  'provider_calls_open',
  'blob_removals_oldest',
  'batches_active',
  'batches_with_leftovers',
  'webhook_endpoints_enabled',
  'webhook_queues_ending',
  'sqlite_autoindex_webhook_queues_1',
  'sqlite_autoindex_channel_leftovers_1',
]

/** Steps over the rows of a subquery: it has a limit, and its own step names its index. */
const subqueryStep = /^SCAN (rows|sums|each_account|ready|latest|\(subquery-\d+\))$/

/** The rows of a page, by their ids, which are read first. The step without a parent sorts these rows. */
const pageById = /^select .* where "?\w+"? in \(select .* limit \? offset \?\) order by [^)]*$/s

for (const [index, query] of queries) {
  const question = String(query).replace(/^.*?=> /s, '')
  test(`${question} uses ${index === unique ? 'a unique key' : index}, without a sort`, async (t) => {
    const { stores, plans } = await openRecording(t)
    for (const from of pageStarts) {
      Object.assign(page, from)
      await query(stores)
    }
    const steps = plans().filter((step) => /^(SCAN|SEARCH|USE)/.test(step))
    assert.ok(
      steps.some((step) => step.includes(`INDEX ${index}`)),
      steps.join('\n'),
    )
    for (const step of steps) {
      // The last term: a sort of the events of one execution.
      assert.doesNotMatch(step, /TEMP B-TREE(?! FOR (GROUP BY|LAST TERM|ROWS OF A PAGE))/)
      if (step.startsWith('SCAN'))
        assert.ok(subqueryStep.test(step) || wholeLists.some((each) => step.includes(`INDEX ${each}`)), step)
    }
  })
}

for (const { job, each, table } of retentionKinds(defaultRetention)) {
  test(`the retention of ${job} uses ${retained[job]}, without a sort`, async (t) => {
    const { db, plans } = await openRecording(t)
    const retention = retentionOf({ kysely: db, dialect: sqliteDialect, clock: { now: () => 1e12 } })
    await retention.sweep(job, { rowsMax: 10 })
    if (each?.bytes) await retention.makeRoom(job, 'a', { bytesMax: 0 })
    const steps = plans().filter((step) => /^(SCAN|SEARCH|USE)/.test(step))
    const indexes = retained[job] ?? assert.fail(`${job} has no row`)
    for (const index of indexes)
      assert.ok(
        steps.some((step) => step.includes(`INDEX ${index}`)),
        steps.join('\n'),
      )
    for (const step of steps) {
      assert.doesNotMatch(step, /TEMP B-TREE(?! FOR LAST TERM)/)
      // Tables of few rows, and the values of a part.
      const isSmall = indexes.length === 0 && step.startsWith('SCAN r')
      if (step.startsWith('SCAN') && !isSmall)
        assert.ok(
          subqueryStep.test(step) ||
            /^SCAN (l|\d+-ROW VALUES CLAUSE|CONSTANT ROW)/.test(step) ||
            wholeLists.some((list) => step.includes(`INDEX ${list}`)),
          `${table}: ${step}`,
        )
    }
  })
}

test('the removal of an account finds the rows of each table by an index', async (t) => {
  const { db, unrecorded, plans } = await openRecording(t)
  const { account } = await tenant(unrecorded)
  await unrecorded.accounts.markDeleted(account.id, 1)
  const { isGone } = await createRemoval({ db, dialect: sqliteDialect, clock: { now: () => 1 } }).removeAccount(
    account.id,
  )
  assert.ok(isGone)
  const steps = plans().filter((step) => step.startsWith('SCAN'))
  assert.deepEqual(
    steps.filter((step) => !/^SCAN (\d+-ROW VALUES CLAUSE|CONSTANT ROW)/.test(step)),
    [],
  )
})

test('an index finds the rows that refer to a row which is removed', async (t) => {
  const { file } = await newSqlite(t)
  const db = new DatabaseSync(file)
  t.after(() => db.close())
  const tables = db
    .prepare(`select name from sqlite_master where type = 'table'`)
    .all()
    .map(({ name }) => String(name))
  let references = 0
  for (const table of tables) {
    const firsts = db
      .prepare(`select i.name, c.name as first from pragma_index_list(?) as i, pragma_index_info(i.name) as c
        where c.seqno = 0 and i.partial = 0`)
      .all(table)
      .map(({ first }) => first)
    const primary = db.prepare('select name from pragma_table_info(?) where pk = 1').get(table)
    const columns = db.prepare('select "from" as name, id from pragma_foreign_key_list(?)').all(table)
    for (const [id, own] of Map.groupBy(columns, (column) => column.id)) {
      references += 1
      const isFound = own.some(({ name }) => firsts.includes(name) || primary?.name === name)
      assert.ok(isFound, `reference ${id} of ${table}: ${own.map(({ name }) => name).join(', ')}`)
    }
  }
  assert.ok(references > 40, `${references}`)
})

test('the next execution of an account is found by its own index, without a sort', async (t) => {
  const { stores, unrecorded, plans } = await openRecording(t)
  await unrecorded.executions.create(execution((await tenant(unrecorded)).workflow))
  assert.ok(await stores.executions.claimNext(1))
  const steps = plans().join('\n')
  assert.match(steps, /INDEX executions_waiting/)
  assert.doesNotMatch(steps, /TEMP B-TREE/)
})

/** Results of queries that find nothing in an empty database, so that the work after them continues. */
const foundFirst: [part: string, row: Record<string, unknown>][] = [
  ['each_account', { account_id: 'a' }],
  ['at_0', { at_0: 1, at_1: 'k' }],
  ['order by "day" desc limit', { day: '2026-11-01' }],
  ['select "account_id" from "batches"', { account_id: 'a' }],
]

/** Stores over an empty database, and SQLite's plans for their queries. */
async function openRecording(
  t: TestContext,
): Promise<{ db: Kysely<Schema>; stores: Stores; unrecorded: Stores; plans(): string[] }> {
  const { stores: unrecorded, kysely: db, file } = await newSqlite(t)
  const explainer = new DatabaseSync(file)
  explainer.function('lower_unicode', (text) => text)
  t.after(() => explainer.close())
  const queried = new Set<string>()
  const texts = new Map<string, string>()
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const text = db.getExecutor().compileQuery(node, queryId).sql
      queried.add(text)
      texts.set(queryId.queryId, text)
      return node
    },
    // Counts of the empty tables, so that a later page is not after the end.
    async transformResult({ result, queryId }) {
      const text = texts.get(queryId.queryId) ?? ''
      const found = foundFirst.find(([part]) => text.includes(part))
      if (found !== undefined && result.rows.length === 0) return { ...result, rows: [found[1]] }
      return { ...result, rows: result.rows.map((row) => ('total' in row ? { ...row, total: 2 } : row)) }
    },
  }
  const recording = db.withPlugin(recorder)
  return {
    db: recording,
    stores: createStores(recording, sqliteDialect),
    unrecorded,
    plans: () =>
      [...queried].flatMap((text) =>
        explainer
          .prepare(`explain query plan ${text}`)
          .all()
          .map(({ detail, parent }) => {
            const isOfPage = parent === 0 && pageById.test(text)
            return isOfPage ? String(detail).replace('FOR ORDER BY', 'FOR ROWS OF A PAGE') : String(detail)
          }),
      ),
  }
}
