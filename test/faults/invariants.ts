/**
 * Invariants of records and bytes, which are true between writes after any failure of the writing processes. They are checked
 * in the tables and the blobs.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { FontFormat } from '../../src/domain/accounts/font.ts'
import { blobKeyOf, idOfBlobKey } from '../../src/domain/blob-key.ts'
import type { ExecutionOutput, NamedExecutionOutput, Step } from '../../src/domain/executions/execution.ts'
import type { BlobStore, ImageFormat } from '../../src/domain/images/image.ts'
import { previewBlobKey } from '../../src/domain/images/preview.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { callBlobKeys, checkCalls, readCalls } from './call-invariants.ts'

export interface Expectations {
  /** Ids of executions that callers know. */
  accepted?: Iterable<string>
  /** Ids of images and fonts that callers have deleted. */
  deleted?: Iterable<string>
  /** Ids of records whose creation was acknowledged: images, fonts, workflows, projects. */
  stored?: Iterable<string>
  /** Final states of executions from earlier checks. This check adds more. */
  ended?: Map<string, string>
  /** A sweep has run since the last write, after the grace period of blobs. */
  swept?: boolean
  /** Waits until the sweep has ended provider calls that no execution waits for. */
  abandoned?: boolean
}

/** Throws the first violation. */
export async function checkInvariants(
  database: Pick<Database, 'kysely' | 'stores'>,
  blobs: BlobStore,
  { accepted = [], deleted = [], stored = [], ended = new Map(), swept = false, abandoned = false }: Expectations,
): Promise<void> {
  const records = await read(database)
  const deletedIds = new Set(deleted)
  checkAcceptedRecords(records, new Set(accepted), new Set(stored), deletedIds)
  checkTerminalStates(records, ended)
  checkOutcomes(records, deletedIds)
  checkSteps(records)
  checkIdempotencyKeys(records, deletedIds)
  checkCalls(records.provider, { abandoned })
  await checkBlobs(records, blobs)
  await checkTotals(records, database)
  if (swept) await checkNoUnusedBlobs(records, blobs)
}

type Records = Awaited<ReturnType<typeof read>>

async function read({ kysely }: Pick<Database, 'kysely'>) {
  const [
    accounts,
    executions,
    images,
    fonts,
    workflows,
    projects,
    keys,
    removals,
    results,
    checkpoints,
    previews,
    batches,
  ] = await Promise.all([
    kysely.selectFrom('accounts').select('id').execute(),
    kysely.selectFrom('executions').selectAll().execute(),
    kysely.selectFrom('images').selectAll().execute(),
    kysely.selectFrom('fonts').selectAll().execute(),
    kysely.selectFrom('workflows').select(['id', 'account_id', 'deleted_at']).execute(),
    kysely.selectFrom('projects').select(['id', 'account_id']).execute(),
    kysely.selectFrom('idempotency_keys').selectAll().execute(),
    kysely.selectFrom('blob_removals').selectAll().execute(),
    kysely.selectFrom('step_results').select('blob_key').execute(),
    kysely.selectFrom('step_checkpoints').select('blob_key').execute(),
    kysely.selectFrom('previews').select('id').execute(),
    kysely.selectFrom('batches').select('id').execute(),
  ])
  const provider = await readCalls(kysely)
  const otherBlobs = [
    ...[...results, ...checkpoints].flatMap(({ blob_key }) => blob_key ?? []),
    ...previews.map(previewBlobKey),
    ...callBlobKeys(provider),
  ]
  return { accounts, executions, images, fonts, workflows, projects, keys, removals, provider, otherBlobs, batches }
}

function checkAcceptedRecords(
  records: Records,
  accepted: Set<string>,
  stored: Set<string>,
  deletedIds: Set<string>,
): void {
  const executions = idsOf(records.executions)
  for (const id of accepted) assert.ok(executions.has(id), `${id} was accepted and is not there`)
  const others = idsOf([...records.images, ...records.fonts, ...records.workflows, ...records.projects])
  for (const id of stored) if (!deletedIds.has(id)) assert.ok(others.has(id), `${id} was stored and is not there`)
  for (const id of deletedIds) assert.ok(!others.has(id), `${id} was deleted and is there`)
}

function checkTerminalStates({ executions }: Records, ended: Map<string, string>): void {
  const now = new Map(executions.filter(isEnded).map((row) => [row.id, JSON.stringify(row)]))
  for (const [id, outcome] of ended) assert.equal(now.get(id), outcome, `${id} had ended, and has changed`)
  for (const [id, outcome] of now) ended.set(id, outcome)
}

function checkOutcomes({ executions, images }: Records, deletedIds: Set<string>): void {
  const outputs = Map.groupBy(images, ({ execution_id }) => execution_id ?? '')
  for (const row of executions) {
    const outputImages = outputs.get(row.id) ?? []
    outputs.delete(row.id)
    if (row.status !== 'completed') {
      assert.deepEqual(idsIn(outputImages), [], `${row.id} is ${row.status} and has images`)
      assert.equal(row.output ?? row.outputs, null, `${row.id} is ${row.status} and has an output`)
      assert.equal(row.error !== null, row.status === 'failed', `${row.id} is ${row.status}: its error`)
      continue
    }
    const { imageId } = JSON.parse(row.output ?? '{}') as ExecutionOutput
    assert.ok(imageId, `${row.id} is completed and has no output`)
    const named = (JSON.parse(row.outputs ?? '[]') as NamedExecutionOutput[]).flatMap(
      ({ files, ...file }) => files ?? [file],
    )
    const expected = [imageId, ...named.map((file) => file.imageId)].filter((id) => !deletedIds.has(id))
    assert.deepEqual(idsIn(outputImages).sort(), expected.sort(), `${row.id}: the images of an execution`)
    assert.equal(row.error, null, `${row.id} is completed and has an error`)
    assert.ok(row.attempt >= 1 && row.completed_at !== null, `${row.id} is completed and was not run`)
  }
  outputs.delete('')
  assert.deepEqual([...outputs.keys()], [], 'images of executions that are not there')
}

function checkSteps({ executions }: Records): void {
  for (const { id, status, steps } of executions) {
    const all = JSON.parse(steps) as Step[]
    assert.equal(new Set(all.map(({ node }) => node)).size, all.length, `${id}: a node has two steps`)
    const statuses = new Set(all.map((step) => step.status))
    const open = status === 'failed' ? ['pending', 'running'] : ['pending', 'running', 'failed', 'cancelled']
    if (status === 'failed' || status === 'completed')
      for (const each of open) assert.ok(!statuses.has(each as Step['status']), `${id} is ${status}, a step is ${each}`)
    if (status === 'completed') assert.ok(all.length > 0, `${id} is completed and has no steps`)
  }
}

function checkIdempotencyKeys(records: Records, deletedIds: Set<string>): void {
  const existing = idsOf([
    ...records.executions,
    ...records.images,
    ...records.fonts,
    ...records.workflows,
    ...records.projects,
    ...records.batches,
    ...[...deletedIds].map((id) => ({ id })),
  ])
  for (const { key, resource_id, response, state } of records.keys) {
    if (resource_id !== null)
      assert.ok(existing.has(resource_id), `the key ${key} names ${resource_id}, which is not there`)
    assert.equal(response !== null, state === 'done', `the key ${key} is ${state}: its response`)
    assert.ok(resource_id !== null || response !== null, `the key ${key} stands for nothing`)
  }
  const named = records.keys.flatMap(({ resource_id }) => resource_id ?? [])
  assert.equal(new Set(named).size, named.length, 'two keys name one thing')
}

async function checkBlobs({ images, fonts, otherBlobs }: Records, blobs: BlobStore): Promise<void> {
  for (const row of [...images, ...fonts]) {
    const bytes = await blobs.read(blobKeyOf({ id: row.id, format: row.format as ImageFormat | FontFormat }))
    assert.equal(bytes.byteLength, row.size, `${row.id}: its size`)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), row.sha256, `${row.id}: its hash`)
  }
  for (const key of otherBlobs) await blobs.read(key)
}

async function checkTotals({ accounts, images, workflows }: Records, { stores }: Pick<Database, 'stores'>) {
  const page = { limit: 1, offset: 0 }
  for (const { id } of accounts) {
    const of = (rows: { account_id: string }[]) => rows.filter(({ account_id }) => account_id === id).length
    assert.equal((await stores.images.list(id, page, {})).total, of(images), `${id}: the total of images`)
    const live = workflows.filter(({ deleted_at }) => deleted_at === null)
    assert.equal((await stores.workflows.list(id, page, {})).total, of(live), `${id}: the total of workflows`)
  }
}

async function checkNoUnusedBlobs({ images, fonts, otherBlobs, removals }: Records, blobs: BlobStore): Promise<void> {
  assert.deepEqual(removals, [], 'removals that were noted and not done')
  const named = idsOf([...images, ...fonts, ...otherBlobs.map((key) => ({ id: idOfBlobKey(key) }))])
  const unused = (await Array.fromAsync(blobs.list(), ({ key }) => key)).filter((key) => !named.has(idOfBlobKey(key)))
  assert.deepEqual(unused, [], 'blobs that no row names')
}

function isEnded({ status }: { status: string }): boolean {
  return status === 'completed' || status === 'failed'
}

function idsIn(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

function idsOf(rows: readonly { id: string }[]): Set<string> {
  return new Set(idsIn(rows))
}
