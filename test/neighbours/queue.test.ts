/** The queue of executions: how soon a synchronous execution of B starts while many of A wait. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isMany } from '../harness/backing.ts'
import { type Document, scale } from '../harness/documents.ts'
import type { HttpResponse } from '../harness/http.ts'
import { isFull, repetitions } from '../harness/repetitions.ts'
import type { Executions } from '../harness/types.ts'
import { remains, until } from '../harness/wait.ts'
import { type HeldSources, holdSources } from './held-sources.ts'
import { listStatuses, repeat, sendAll } from './load.ts'
import { bodyOf, openSetup, type Setup } from './setup.ts'

/** The last is the limit of an account. */
const heights = isFull ? [60, 1_200, 2_000] : [60, 200]
const waitingMax = heights.at(-1) ?? 0
const tries = repetitions(10, 100)

interface Queue {
  setup: Setup
  /** The image that held executions of A wait for. They fill slots for A only, because they wait for a download. */
  heldSource: HeldSources
  submitHeld(): Promise<HttpResponse>
  /** An execution of A that computes for some tenths of a second, and fetches an image when it starts. */
  submit(signal?: AbortSignal): Promise<HttpResponse>
  pending(of: 'a' | 'b'): Promise<number>
}

async function openQueue(slots: number): Promise<Queue> {
  const setup = await openSetup({
    EXECUTIONS_RUNNING_MAX: String(slots),
    EXECUTIONS_WAITING_MAX: String(2 * waitingMax),
    SYNC_WAIT_SECONDS: '600',
  })
  const heldSource = await holdSources(setup, '/of-a')
  const submission = async (document: Document, source: string) => {
    const workflowId = await setup.a.save(document)
    const text = JSON.stringify({ workflowId, parameters: { source }, async: true })
    return (signal?: AbortSignal) => setup.a.send('POST', '/workflows/execute', { text, ...(signal && { signal }) })
  }
  return {
    setup,
    heldSource,
    submitHeld: await submission(scale(), heldSource.url),
    submit: await submission(computing(), setup.sourceUrl('/computed')),
    async pending(of) {
      let count = 0
      for (let cursor: string | null = ''; cursor !== null; ) {
        const after: string = cursor === '' ? '' : `&cursor=${cursor}`
        const response = await setup[of].send('GET', `/workflows/executions?status=pending&limit=100${after}`)
        const page: Executions = bodyOf<Executions>(response)
        count += page.executions.length
        cursor = page.cursor
      }
      return count
    },
  }
}

function computing(): Document {
  const { nodes, ...document } = scale()
  const large = { type: 'resize', inputs: { image: 'small' }, params: { width: 1_500 } }
  const soft = { type: 'blur', inputs: { image: 'large' }, params: { sigma: 30 } }
  return { ...document, name: 'Compute', nodes: { ...nodes, large, soft }, output: { node: 'soft', format: 'png' } }
}

describe('a synchronous execution of B', { concurrency: 1 }, () => {
  /** One slot, so that the order of fetches is the order of starts. */
  let queue: Queue
  before(async () => {
    queue = await openQueue(1)
  })
  after(() => queue?.setup.close())

  for (const height of heights) {
    test(`is among the next two to start, in ${tries} of ${tries} tries, while ${height} of A wait`, async () => {
      await fill(queue, height)
      for (let i = 0; i < tries; i++) {
        await startNext(queue)
        await fill(queue, height)
      }
    })
  }

  test(`is among the next two to start while A sends without pause, above its limit of ${waitingMax}`, async (t) => {
    const load = repeat(2, (_n, signal) => queue.submit(signal))
    t.after(() => load.stop())
    await until('a refusal of A', () => load.responses.has(429) || undefined)
    for (let i = 0; i < tries; i++) await startNext(queue)
    await load.stop()
    const others = [...load.responses.keys()].filter((status) => status !== 202 && status !== 429)
    assert.deepEqual(others, [], listStatuses(load))
  })
})

test('an execution of B is accepted while those of A above its limit get 429 with Retry-After', async (t) => {
  const { setup, heldSource, submitHeld, pending } = await openQueue(1)
  t.after(() => setup.close())
  await submitHeld()
  await until('an execution of A in the slot', () => heldSource.waiting() === 1 || undefined)
  await until('the limit', async () => (await submitHeld()).status === 429 || undefined)
  assert.equal(await pending('a'), waitingMax)
  const { status, headers, bytes } = await submitHeld()
  assert.equal(status, 429)
  assert.ok(Number(headers['retry-after']) >= 1, headers['retry-after'])
  const { error } = JSON.parse(bytes.toString('utf8'))
  assert.deepEqual([error.code, error.details.limit], ['rate_limited', waitingMax])
  const accepted = await setup.b.send('POST', '/workflows/execute', { json: { workflowId: setup.tiny, async: true } })
  assert.equal(accepted.status, 202)
})

test('a worker whose slots are full of executions of A starts one of B, and ends none of A for that', async (t) => {
  const slots = 2 * (isMany ? 2 : 1)
  const { setup, heldSource, submitHeld, pending } = await openQueue(2)
  t.after(() => setup.close())
  await sendAll(8, () => submitHeld(), 60)
  await until('the slots to be filled', () => heldSource.waiting() === slots || undefined)
  // One that was handed over to a worker without room is recorded as running, and waits there.
  const pendingBefore = await pending('a')
  for (let i = 0; i < tries; i++) {
    const response = await setup.b.send('POST', '/workflows/execute', { json: { workflowId: setup.tiny } })
    assert.equal(response.status, 200)
  }
  await remains('no other execution of A', () => heldSource.waiting() === slots, 5)
  assert.equal(await pending('a'), pendingBefore)
})

/** Submits until this many executions of A wait. */
async function fill({ pending, submit }: Queue, height: number): Promise<void> {
  const missing = height - (await pending('a'))
  const responses = await sendAll(8, (_n, signal) => submit(signal), missing)
  assert.equal(responses.get(202) ?? 0, Math.max(0, missing), listStatuses({ responses }))
}

let submitted = 0

/** Sends an execution of B. It must be the next to start, or come after one of A. */
async function startNext({ setup, pending }: Queue): Promise<void> {
  const { b, fetching, sourceUrl, outside } = setup
  const path = `/of-b?${submitted++}`
  const json = { workflowId: fetching, parameters: { source: sourceUrl(path) } }
  const response = b.send('POST', '/workflows/execute', { json })
  response.catch(() => {})
  const hasStarted = () => outside.requested.includes(path)
  await until('the execution of B to be recorded', async () => hasStarted() || (await pending('b')) === 1 || undefined)
  const before = hasStarted() ? outside.requested.indexOf(path) : outside.requested.length
  await until('the execution of B to start', () => hasStarted() || undefined)
  const ofA = outside.requested.indexOf(path) - before
  assert.ok(ofA <= 1, `${ofA} executions of A started before it`)
  assert.equal((await response).status, 200)
}
