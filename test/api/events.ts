/** GET /workflows/executions/{executionId}/events. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { area } from '../harness/area.ts'
import { type Client, createClient, issuePaths, ok, openApiOf, refused } from '../harness/client.ts'
import { createdKeys } from '../harness/created-keys.ts'
import { canvas, type Document } from '../harness/documents.ts'
import { type Frame, followThroughCuts, framesIn, openEvents } from '../harness/event-stream.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { firstAccount, secondAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

/** Two sources whose responses a test can delay, with steps before, between and after them. */
const twoSources: Document = {
  name: 'Two sources',
  parameters: ['first', 'second'].map((name) => ({ name, type: 'string', required: true })),
  nodes: {
    one: { type: 'image', params: { source: '{{ first }}' } },
    turned: { type: 'flip', inputs: { image: 'one' } },
    two: { type: 'image', params: { source: '{{ second }}' } },
    both: { type: 'stack', inputs: { images: ['turned', 'two'] } },
    never: { type: 'flip', when: '{{ false }}', inputs: { image: 'both' } },
  },
  output: { node: 'never', format: 'png' },
}

const pathOf = (executionId: string) => `/workflows/executions/${executionId}/events`
const numbers = (frames: Frame[]) => frames.map(({ id }) => id)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

async function startExecution(
  api: Client,
  workflowId: string,
  parameters: Record<string, string> = {},
): Promise<string> {
  const json = { workflowId, parameters, async: true }
  return ok(await api.post<Execution>('/workflows/execute', json), 202).executionId
}

/** The events of an ended execution. */
async function readLog(api: Client, executionId: string): Promise<{ frames: Frame[]; text: string }> {
  const reply = await api.call('GET', pathOf(executionId), { headers: { 'last-event-id': '0' } })
  ok(reply)
  return { frames: framesIn(reply.text), text: reply.text }
}

/** The state of an execution according to these events: status and steps. */
function stateOf(frames: Frame[]): { status: string; steps: unknown[] } {
  const steps = new Map<string, unknown>()
  let status = ''
  for (const { event, data } of frames) {
    if (event === 'step') steps.set(data.node, data)
    else {
      status = data.status
      if (status === 'pending' || status === 'running') steps.clear()
    }
  }
  return { status, steps: [...steps.values()] }
}

area('the events of an execution', { concurrency: 4 }, () => {
  let api: Client
  let outside: SourceHost
  let twoSourcesId: string
  let canvasId: string
  before(async () => {
    api = await firstAccount()
    outside = await startSourceHost()
    twoSourcesId = (await save(api, twoSources)).id
    canvasId = (await save(api, canvas())).id
  })
  after(() => outside.close())

  /** An execution that runs until both of its sources are released. */
  const beginHeld = async () => {
    const [first, second] = [outside.hold(), outside.hold()]
    const executionId = await startExecution(api, twoSourcesId, { first: first.url, second: second.url })
    return { first, second, executionId }
  }
  const endedCanvas = async () => {
    const executionId = await startExecution(api, canvasId)
    await api.ended(executionId)
    return executionId
  }

  test('start with a snapshot, followed by the changes as they happen, to the end', async () => {
    const { first, second, executionId } = await beginHeld()
    const stream = await openEvents(api, executionId)
    assert.equal(stream.status, 200)
    assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream\b/)
    assert.equal(stream.headers['cache-control'], 'no-store, no-transform')
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    const snapshot = (await stream.next()) ?? assert.fail()
    assert.deepEqual([snapshot.event, snapshot.data.execution.executionId], ['snapshot', executionId])
    const frames: Frame[] = []
    const waitForStep = async (node: string, status: string) => {
      const isIt = ({ event, data }: Frame) => event === 'step' && data.node === node && data.status === status
      // On a slow machine it happened before the stream was open.
      if (
        snapshot.data.steps.some(
          (step: { node: string; status: string }) => step.node === node && step.status === status,
        )
      )
        return
      while (!frames.some(isIt)) frames.push((await stream.next()) ?? assert.fail(`${node} was never ${status}`))
    }
    // It still waits for both sources: a step that takes long is reported as running.
    await waitForStep('one', 'running')
    first.release()
    await waitForStep('one', 'completed')
    second.release()
    frames.push(...(await stream.rest()))
    assert.equal(stream.how(), 'ended')
    const ended = await api.ended(executionId)
    const end = frames.at(-1) ?? assert.fail()
    assert.deepEqual([end.event, end.data.status, end.data.output], ['execution', 'completed', ended.output])
    assert.deepEqual([end.data.completedAt, end.data.at], [ended.completedAt, ended.completedAt])
    const { frames: all } = await readLog(api, executionId)
    assert.deepEqual(numbers(all), upTo(all.length))
    assert.deepEqual(frames, all.slice(snapshot.id))
    // The events agree with the snapshot, and together with the final steps.
    const { execution, steps } = snapshot.data
    assert.deepEqual({ status: execution.status, steps }, stateOf(all.slice(0, snapshot.id)))
    const listed = ok(await api.get<{ steps: unknown[] }>(`/workflows/executions/${executionId}/steps`))
    assert.deepEqual(stateOf(all), { status: 'completed', steps: listed.steps })
  })

  test('arrive completely and once at a client that reconnects with the last event, wherever connections are cut while it runs', async () => {
    const { first, second, executionId } = await beginHeld()
    const sizes = [5, 14, 60, 150, 333, 700, 1_501]
    const followers = [
      // After every event.
      followThroughCuts(api, executionId, () => ({ eventsMax: 1 })),
      // Within, before and after them.
      ...upTo(6).map((shift) =>
        followThroughCuts(api, executionId, (n) => ({ bytesMax: (sizes[n % sizes.length] ?? 0) + 7 * shift })),
      ),
      followThroughCuts(api, executionId, () => ({})),
    ]
    await Promise.all([first.waiting(), second.waiting()])
    first.release()
    const seen = await openEvents(api, executionId, { last: 0 })
    let frame = await seen.next()
    while (frame && !(frame.data.node === 'one' && frame.data.status === 'completed')) frame = await seen.next()
    assert.ok(frame)
    seen.cut()
    second.release()
    const results = await Promise.all(followers)
    const { frames: all } = await readLog(api, executionId)
    assert.ok(all.length > 8, `${all.length} events`)
    for (const { frames } of results) assert.deepEqual(frames, all)
    assert.equal(results[0]?.connections, all.length)
  })

  test('of an ended execution arrive completely and once if the connection breaks at any byte', async () => {
    const { first, second, executionId } = await beginHeld()
    for (const each of [first, second]) each.release()
    await api.ended(executionId)
    const { frames: all, text } = await readLog(api, executionId)
    const rests = await Promise.all(
      all.map(async ({ id }) => {
        const reply = await api.call('GET', pathOf(executionId), { query: { after: id } })
        assert.equal(reply.status, id === all.length ? 204 : 200)
        return framesIn(reply.text)
      }),
    )
    for (let length = 0; length <= text.length; length++) {
      const seen = framesIn(text.slice(0, length))
      const rest = seen.length === 0 ? all : (rests[seen.length - 1] ?? [])
      assert.deepEqual(numbers([...seen, ...rest]), upTo(all.length))
    }
    for (const [i, rest] of rests.entries()) assert.deepEqual(rest, all.slice(i + 1))
  })

  test('reach several clients', async () => {
    const { first, second, executionId } = await beginHeld()
    const streams = await Promise.all(upTo(40).map(() => openEvents(api, executionId, { last: 0 })))
    // One of them reads nothing, and doesn't delay the others.
    const [idle, ...busy] = streams
    const received = busy.map((each) => each.rest())
    for (const each of [first, second]) each.release()
    const results = await Promise.all(received)
    const { frames: all } = await readLog(api, executionId)
    for (const frames of results) assert.deepEqual(frames, all)
    idle?.cut()
  })

  test('have the documented shapes', async () => {
    const failing = await save(api, {
      name: 'Fails',
      nodes: {
        load: { type: 'image', params: { source: 'img_00000000000000000000' } },
        turned: { type: 'flip', inputs: { image: 'load' } },
      },
      output: { node: 'turned' },
    })
    const failed = await startExecution(api, failing.id)
    assert.equal((await api.ended(failed)).status, 'failed')
    const { document } = await openApiOf(api.service, api.key ?? '')
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema({ ...document, $id: 'openapi' })
    const schemaOf = (name: string) => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
    const valid = {
      snapshot: schemaOf('ExecutionSnapshotEvent'),
      step: schemaOf('Step'),
      execution: schemaOf('ExecutionStatusEvent'),
    }
    const seen = new Set<string>()
    for (const id of [failed, await endedCanvas()]) {
      const snapshot = await api.get(pathOf(id))
      assert.equal(snapshot.status, 200)
      for (const { event, data } of [...framesIn(snapshot.text), ...(await readLog(api, id)).frames]) {
        const judge = valid[event as keyof typeof valid] ?? assert.fail(`the event ${event}`)
        assert.ok(judge(data), JSON.stringify([data, judge.errors]))
        seen.add(event)
      }
    }
    assert.deepEqual([...seen].sort(), ['execution', 'snapshot', 'step'])
    const { error, status } = (await readLog(api, failed)).frames.at(-1)?.data ?? assert.fail()
    assert.deepEqual([status, error.details.node], ['failed', 'load'])
  })

  test('report a cancellation and cancel the open steps', async () => {
    const { first, second, executionId } = await beginHeld()
    const stream = await openEvents(api, executionId, { last: 0 })
    for (let frame = await stream.next(); frame?.event !== 'step'; frame = await stream.next()) assert.ok(frame)
    ok(await api.post(`/workflows/executions/${executionId}/cancel`))
    const frames = await stream.rest()
    assert.equal(frames.at(-1)?.data.error.details.reason, 'cancelled')
    const { steps } = stateOf((await readLog(api, executionId)).frames)
    assert.ok((steps as { status: string }[]).every(({ status }) => status === 'cancelled'))
    for (const each of [first, second]) each.release()
  })

  test('are not needed to wait for the end: a status check with wait responds when it comes, or with the current status', async () => {
    const { first, second, executionId } = await beginHeld()
    const path = `/workflows/executions/${executionId}`
    await first.waiting()
    const soon = ok(await api.get<Execution>(path, { wait: 1 }))
    assert.ok(['pending', 'running'].includes(soon.status), soon.status)
    const waiting = [api.get<Execution>(path, { wait: 55 }), api.get<Execution>(path, { wait: 55 })]
    for (const each of [first, second]) each.release()
    const ended = await api.ended(executionId)
    assert.equal(ended.status, 'completed')
    for (const reply of await Promise.all([...waiting, api.get<Execution>(path, { wait: 55 })]))
      assert.deepEqual(ok(reply), ended)
    for (const wait of [56, -1, 1.5, 'x']) assert.deepEqual(issuePaths(await api.get(path, { wait })), ['wait'])
    refused(await (await secondAccount()).api.get(path, { wait: 55 }), 'not_found')
  })

  test('stop when the key is revoked', async () => {
    const { first, second, executionId } = await beginHeld()
    const { id, key } = ok(await api.post<{ id: string; key: string }>('/keys', {}), 201)
    createdKeys.push(key)
    const stream = await openEvents(api.as(key), executionId)
    assert.equal((await stream.next())?.event, 'snapshot')
    ok(await api.delete(`/keys/${id}`))
    // The key is checked again if the last check is older than a second.
    const fromMs = performance.now()
    await until('a second', () => performance.now() - fromMs > 1_100 || undefined)
    for (const each of [first, second]) each.release()
    const frames = await stream.rest()
    // The event that it runs may have arrived within that second.
    assert.ok(!frames.some(({ data }) => ['completed', 'failed'].includes(String(data.status))), JSON.stringify(frames))
    assert.equal(stream.how(), 'ended')
    refused(await api.as(key).get(pathOf(executionId)), 'unauthorized')
  })

  test('end after the last one: 204 for a GET, and the same for a HEAD', async () => {
    const id = await endedCanvas()
    const { frames } = await readLog(api, id)
    const headers = { 'last-event-id': String(frames.length) }
    const reply = await api.call('GET', pathOf(id), { headers })
    assert.deepEqual([reply.status, reply.bytes.length], [204, 0])
    assert.equal((await api.call('HEAD', pathOf(id), { headers })).status, 204)
    const head = await api.call('HEAD', pathOf(id))
    assert.equal(head.status, 200)
    assert.match(head.headers['content-type'] ?? '', /^text\/event-stream\b/)
    assert.equal((await api.call('HEAD', pathOf('exec_00000000000000000000'))).status, 404)
  })

  test('after an unknown event id or an invalid one are rejected', async () => {
    const id = await endedCanvas()
    const { length } = (await readLog(api, id)).frames
    for (const wrong of [String(length + 1), '-1', '1.5', 'x', '9'.repeat(30), '0x1']) {
      const reply = await api.call('GET', pathOf(id), { headers: { 'last-event-id': wrong } })
      assert.deepEqual(issuePaths(reply), ['Last-Event-ID'], wrong)
    }
    for (const after of [length + 1, -1, 1.5, 'x']) {
      assert.deepEqual(issuePaths(await api.get(pathOf(id), { after })), ['after'])
    }
    assert.deepEqual(issuePaths(await api.get(pathOf(id), { nope: 1 })), ['nope'])
    // A client that reconnects automatically sends both.
    const both = await api.call('GET', pathOf(id), { query: { after: 0 }, headers: { 'last-event-id': '1' } })
    assert.equal(framesIn(both.text)[0]?.id, 2)
  })

  test('of another account are not found', async () => {
    const other = (await secondAccount()).api
    refused(await other.get(pathOf(await endedCanvas())), 'not_found')
  })
})

area('the events of an execution whose processes end', { isSlow: true }, () => {
  let service: Service
  let api: Client
  let outside: SourceHost
  let workflowId: string
  before(async () => {
    outside = await startSourceHost()
    service = await startWithoutExamples({
      FETCH_ALLOW: 'localhost',
      // Sources are held while processes start.
      FETCH_TIMEOUT_SECONDS: '300',
      SHUTDOWN_GRACE_SECONDS: '0.5',
      EVENT_STREAMS_MAX: '2',
    })
    api = await createClient(service, service.key)
    workflowId = (await save(api, twoSources)).id
  })
  after(async () => {
    await service.remove()
    await outside.close()
  })
  const restart = async () => {
    const { key } = api
    service = await service.restart()
    api = await createClient(service, key ?? '')
  }
  const beginHeld = async () => {
    const [first, second] = [outside.hold(), outside.hold()]
    const executionId = await startExecution(api, workflowId, { first: first.url, second: second.url })
    return { first, second, executionId }
  }

  for (const how of ['SIGTERM', 'SIGKILL'] as const) {
    test(`continue after ${how} with those of the next attempt, none lost and none repeated`, async () => {
      const { first, second, executionId } = await beginHeld()
      first.release()
      const stream = await openEvents(api, executionId, { last: 0 })
      const frames: Frame[] = []
      while (!frames.some(({ data }) => data.node === 'one' && data.status === 'completed'))
        frames.push((await stream.next()) ?? assert.fail())
      const rest = stream.rest()
      if (how === 'SIGTERM') assert.equal(await service.stop(), 0)
      else await service.kill()
      frames.push(...(await rest))
      if (how === 'SIGTERM') assert.equal(stream.how(), 'ended')
      assert.ok(!frames.some(({ data }) => data.status === 'completed' && data.output))
      await restart()
      const going = await openEvents(api, executionId, { last: frames.at(-1)?.id })
      second.release()
      frames.push(...(await going.rest()))
      const { frames: all } = await readLog(api, executionId)
      assert.deepEqual(frames, all)
      assert.deepEqual(numbers(all), upTo(all.length))
      const states = all.flatMap(({ event, data }) => (event === 'execution' ? [data.status] : []))
      assert.equal(states.filter((each) => each === 'running').length, 2)
      assert.equal(states.at(-1), 'completed')
      // Events of the first attempt aren't shown as those of the second.
      const listed = ok(await api.get<{ steps: unknown[] }>(`/workflows/executions/${executionId}/steps`))
      assert.deepEqual(stateOf(all).steps, listed.steps)
    })
  }

  test('are open to the account while the people with a run link have as many waits as they may', async () => {
    const link = ok(await api.post<{ id: string; key: string }>('/keys', { workflowId }), 201)
    createdKeys.push(link.key)
    const guest = api.as(link.key)
    const [first, second] = [outside.hold(), outside.hold()]
    const parameters = { first: first.url, second: second.url }
    const { executionId } = ok(await guest.post<Execution>('/run-link/executions', { parameters }), 202)
    const waits: Promise<number>[] = []
    let isFull = false
    await until('a rejection', () => {
      const wait = guest.get(`/run-link/executions/${executionId}`, { wait: 55 })
      waits.push(wait.then(({ status }) => status))
      void wait.then(({ status }) => (isFull ||= status === 429))
      return isFull || undefined
    })
    const stream = await openEvents(api, executionId)
    assert.equal(stream.status, 200)
    stream.cut()
    for (const source of [first, second]) source.release()
    assert.deepEqual(new Set(await Promise.all(waits)), new Set([200, 429]))
    ok(await api.delete(`/keys/${link.id}`))
  })

  test('have a limit on concurrent streams, and a closed stream makes room', async () => {
    const { first, second, executionId } = await beginHeld()
    const open = []
    for (;;) {
      const stream = await openEvents(api, executionId)
      if (stream.status !== 200) {
        assert.match(stream.headers['retry-after'] ?? '', /^[1-9]\d*$/)
        break
      }
      open.push(stream)
    }
    assert.ok(open.length >= 2, `${open.length} streams`)
    // In any of the processes: each of two accepts one of two.
    const reply = await until('a rejection', async () => {
      const path = `${pathOf(executionId)}?after=0`
      const response = await api
        .root('GET', `/v1${path}`, {
          headers: { authorization: `Bearer ${api.key}` },
          keepAlive: false,
          signal: AbortSignal.timeout(500),
        })
        .catch(() => undefined)
      return response?.status === 429 ? response : undefined
    })
    const { limit, retryAfterSeconds } = refused(reply, 'rate_limited')
    assert.deepEqual([limit, String(retryAfterSeconds)], [2, reply.headers['retry-after']])
    for (const each of open) each.cut()
    const again = await until('room', async () => {
      const stream = await openEvents(api, executionId)
      return stream.status === 200 ? stream : undefined
    })
    for (const each of [first, second]) each.release()
    assert.equal((await again.rest()).at(-1)?.data.status, 'completed')
  })
})
