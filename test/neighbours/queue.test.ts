/** The queue of executions: how soon a synchronous execution of B starts while many of A wait. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isMany } from '../harness/backing.ts'
import { scale } from '../harness/documents.ts'
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

/** A's executions wait for an image that the test releases, so they run for exactly as long as the test needs it. */
interface Queue {
  setup: Setup
  heldSource: HeldSources
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
  const workflowId = await setup.a.save(scale())
  const text = JSON.stringify({ workflowId, parameters: { source: heldSource.url }, async: true })
  return {
    setup,
    heldSource,
    submit: (signal) => setup.a.send('POST', '/workflows/execute', { text, ...(signal && { signal }) }),
    async pending(of) {
      const response = await setup[of].send('GET', '/workflows/executions?status=pending&limit=1')
      return bodyOf<Executions>(response).total
    },
  }
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

  test('is accepted while those of A above its limit get 429 with Retry-After', async () => {
    const { setup, submit, pending } = queue
    await until('the limit', async () => (await submit()).status === 429 || undefined)
    assert.equal(await pending('a'), waitingMax)
    const { status, headers, bytes } = await submit()
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) >= 1, headers['retry-after'])
    const { error } = JSON.parse(bytes.toString('utf8'))
    assert.deepEqual([error.code, error.details.limit], ['rate_limited', waitingMax])
    const accepted = await setup.b.send('POST', '/workflows/execute', { json: { workflowId: setup.tiny, async: true } })
    assert.equal(accepted.status, 202)
  })
})

test('a worker whose slots are full of executions of A starts one of B, and ends none of A for that', async (t) => {
  const slots = 2 * (isMany ? 2 : 1)
  const { setup, heldSource, submit, pending } = await openQueue(2)
  t.after(() => setup.close())
  await sendAll(8, (_n, signal) => submit(signal), 60)
  await until('the slots to be filled', () => heldSource.waiting() === slots || undefined)
  for (let i = 0; i < tries; i++) {
    const response = await setup.b.send('POST', '/workflows/execute', { json: { workflowId: setup.tiny } })
    assert.equal(response.status, 200)
  }
  await remains('no other execution of A', () => heldSource.waiting() === slots, 5)
  assert.equal(await pending('a'), 60 - slots)
})

/** Until one execution of A runs and this many wait. */
async function fill({ heldSource, pending, submit }: Queue, height: number): Promise<void> {
  const missing = height - (await pending('a'))
  const responses = await sendAll(8, (_n, signal) => submit(signal), missing)
  assert.equal(responses.get(202) ?? 0, Math.max(0, missing), listStatuses({ responses }))
  await until('a running execution of A', () => heldSource.waiting() === 1 || undefined)
}

let submitted = 0

/** Sends an execution of B, then ends the running ones until it has started. It must be the next to start, or come after one of A. */
async function startNext({ setup, heldSource, pending }: Queue): Promise<void> {
  const { b, fetching, sourceUrl, outside } = setup
  const path = `/of-b?${submitted++}`
  const json = { workflowId: fetching, parameters: { source: sourceUrl(path) } }
  const response = b.send('POST', '/workflows/execute', { json })
  response.catch(() => {})
  await until('the execution of B to be recorded', async () => (await pending('b')) === 1 || undefined)
  const before = outside.requested.length
  for (let place = 1; ; place++) {
    heldSource.release()
    await until('the next start', () => outside.requested.length >= before + place || undefined)
    if (outside.requested[before + place - 1] === path) break
    assert.ok(place < 2, 'two executions of A started before it')
  }
  assert.equal((await response).status, 200)
  await until('a running execution of A', () => heldSource.waiting() === 1 || undefined)
}
