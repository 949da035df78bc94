/**
 * Invariants of records and bytes, which are true between writes after any failure of the writing processes. They are checked
 * in the tables and the blobs.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { blobKeyOf, idOfBlobKey } from '../../src/domain/blob-key.ts'
import type { ExecutionOutput, Step } from '../../src/domain/execution.ts'
import type { FontFormat } from '../../src/domain/font.ts'
import type { BlobStore, ImageFormat } from '../../src/domain/image.ts'
import { previewBlobKey } from '../../src/domain/preview.ts'
import type { Database } from '../../src/storage/database/open.ts'
import { callBlobKeys, callsAreSettled, readCalls } from './call-invariants.ts'

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
  /** And the sweep has ended provider calls that no execution waits for. */
  givenUp?: boolean
}

/** Throws the first violation. */
export async function checkInvariants(
  database: Pick<Database, 'kysely' | 'stores'>,
  blobs: BlobStore,
  { accepted = [], deleted = [], stored = [], ended = new Map(), swept = false, givenUp = false }: Expectations,
): Promise<void> {
  const facts = await read(database)
  const gone = new Set(deleted)
  everythingAcceptedIsThere(facts, new Set(accepted), new Set(stored), gone)
  terminalStatesStay(facts, ended)
  executionsHaveOneOutcome(facts, gone)
  stepsAreOneSet(facts)
  keysNameWhatTheyMade(facts, gone)
  callsAreSettled(facts.provider, { givenUp })
  await rowsHaveTheirBytes(facts, blobs)
  await totalsAreRight(facts, database)
  if (swept) await nothingIsLeftOver(facts, blobs)
}

type Facts = Awaited<ReturnType<typeof read>>

async function read({ kysely }: Pick<Database, 'kysely'>) {
  const [accounts, executions, images, fonts, workflows, projects, keys, removals, results, kept, previews] =
    await Promise.all([
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
    ])
  const provider = await readCalls(kysely)
  const otherBlobs = [
    ...[...results, ...kept].flatMap(({ blob_key }) => blob_key ?? []),
    ...previews.map(previewBlobKey),
    ...callBlobKeys(provider),
  ]
  return { accounts, executions, images, fonts, workflows, projects, keys, removals, provider, otherBlobs }
}

function everythingAcceptedIsThere(facts: Facts, accepted: Set<string>, stored: Set<string>, gone: Set<string>): void {
  const executions = idsOf(facts.executions)
  for (const id of accepted) assert.ok(executions.has(id), `${id} was accepted and is not there`)
  const others = idsOf([...facts.images, ...facts.fonts, ...facts.workflows, ...facts.projects])
  for (const id of stored) if (!gone.has(id)) assert.ok(others.has(id), `${id} was stored and is not there`)
  for (const id of gone) assert.ok(!others.has(id), `${id} was deleted and is there`)
}

function terminalStatesStay({ executions }: Facts, ended: Map<string, string>): void {
  const now = new Map(executions.filter(isEnded).map((row) => [row.id, JSON.stringify(row)]))
  for (const [id, outcome] of ended) assert.equal(now.get(id), outcome, `${id} had ended, and has changed`)
  for (const [id, outcome] of now) ended.set(id, outcome)
}

function executionsHaveOneOutcome({ executions, images }: Facts, gone: Set<string>): void {
  const outputs = Map.groupBy(images, ({ execution_id }) => execution_id ?? '')
  for (const row of executions) {
    const made = outputs.get(row.id) ?? []
    outputs.delete(row.id)
    if (row.status !== 'completed') {
      assert.deepEqual(idsIn(made), [], `${row.id} is ${row.status} and has images`)
      assert.equal(row.output, null, `${row.id} is ${row.status} and has an output`)
      assert.equal(row.error !== null, row.status === 'failed', `${row.id} is ${row.status}: its error`)
      continue
    }
    const { imageId } = JSON.parse(row.output ?? '{}') as ExecutionOutput
    assert.ok(imageId, `${row.id} is completed and has no output`)
    assert.deepEqual(idsIn(made), gone.has(imageId) ? [] : [imageId], `${row.id}: the images of an execution`)
    assert.equal(row.error, null, `${row.id} is completed and has an error`)
    assert.ok(row.attempt >= 1 && row.completed_at !== null, `${row.id} is completed and was not run`)
  }
  outputs.delete('')
  assert.deepEqual([...outputs.keys()], [], 'images of executions that are not there')
}

function stepsAreOneSet({ executions }: Facts): void {
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

function keysNameWhatTheyMade(facts: Facts, gone: Set<string>): void {
  const there = idsOf([
    ...facts.executions,
    ...facts.images,
    ...facts.fonts,
    ...facts.workflows,
    ...facts.projects,
    ...[...gone].map((id) => ({ id })),
  ])
  for (const { key, resource_id, response, state } of facts.keys) {
    if (resource_id !== null)
      assert.ok(there.has(resource_id), `the key ${key} names ${resource_id}, which is not there`)
    assert.equal(response !== null, state === 'done', `the key ${key} is ${state}: its response`)
    assert.ok(resource_id !== null || response !== null, `the key ${key} stands for nothing`)
  }
  const named = facts.keys.flatMap(({ resource_id }) => resource_id ?? [])
  assert.equal(new Set(named).size, named.length, 'two keys name one thing')
}

async function rowsHaveTheirBytes({ images, fonts, otherBlobs }: Facts, blobs: BlobStore): Promise<void> {
  for (const row of [...images, ...fonts]) {
    const bytes = await blobs.read(blobKeyOf({ id: row.id, format: row.format as ImageFormat | FontFormat }))
    assert.equal(bytes.byteLength, row.size, `${row.id}: its size`)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), row.sha256, `${row.id}: its hash`)
  }
  for (const key of otherBlobs) await blobs.read(key)
}

async function totalsAreRight(
  { accounts, executions, images, workflows }: Facts,
  { stores }: Pick<Database, 'stores'>,
) {
  const page = { limit: 1, offset: 0 }
  for (const { id } of accounts) {
    const of = (rows: { account_id: string }[]) => rows.filter(({ account_id }) => account_id === id).length
    assert.equal((await stores.executions.list(id, page, {})).total, of(executions), `${id}: the total of executions`)
    assert.equal((await stores.images.list(id, page, {})).total, of(images), `${id}: the total of images`)
    const live = workflows.filter(({ deleted_at }) => deleted_at === null)
    assert.equal((await stores.workflows.list(id, page, {})).total, of(live), `${id}: the total of workflows`)
  }
}

async function nothingIsLeftOver({ images, fonts, otherBlobs, removals }: Facts, blobs: BlobStore): Promise<void> {
  assert.deepEqual(removals, [], 'removals that were noted and not done')
  const named = idsOf([...images, ...fonts, ...otherBlobs.map((key) => ({ id: idOfBlobKey(key) }))])
  const left = (await Array.fromAsync(blobs.list(), ({ key }) => key)).filter((key) => !named.has(idOfBlobKey(key)))
  assert.deepEqual(left, [], 'blobs that no row names')
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
