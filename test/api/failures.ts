/** Executions that fail, wait, are cancelled or run out of time. One execution at a time, two waiting per account, 3 seconds each. */
import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { area } from '../harness/area.ts'
import { isMany } from '../harness/backing.ts'
import { assertFields, type Client, ok, refused } from '../harness/client.ts'
import { canvas, scale } from '../harness/documents.ts'
import { firstAccount, newAccount, smallService } from '../harness/shared.ts'
import { type Hold, type SourceHost, startSourceHost } from '../harness/source-host.ts'
import { added, type ErrorBody, type Execution, type Executions } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

area('executions that fail, or do not complete immediately', {}, () => {
  let api: Client
  /**
   * A client of the service that waits long enough for synchronous executions. The other one returns 202 after a
   * second.
   */
  let patient: Client
  let outside: SourceHost
  let scaleId: string
  let patientScaleId: string
  before(async () => {
    api = await firstAccount(await smallService())
    outside = await startSourceHost()
    scaleId = (await save(api, scale())).id
    patient = (await newAccount()).api
    patientScaleId = (await save(patient, scale())).id
  })
  after(() => outside.close())

  /** Released at the end of the test at the latest, so that a failing test leaves the queue empty. */
  const hold = (t: TestContext): Hold => {
    const hold = outside.hold()
    t.after(hold.release)
    return hold
  }
  const startExecution = async (source: string): Promise<string> => {
    const reply = await api.post<Execution>('/workflows/execute', {
      workflowId: scaleId,
      parameters: { source },
      async: true,
    })
    return ok(reply, 202).executionId
  }
  const find = async (id: string): Promise<Execution> => ok(await api.get<Execution>(`/workflows/executions/${id}`))

  test('a failed synchronous execution is 500 workflow_failed with the execution, the node, the operation and the reason', async () => {
    const reply = await patient.post('/workflows/execute', {
      workflowId: patientScaleId,
      parameters: { source: 'img_00000000000000000000' },
    })
    const details = refused(reply, 'workflow_failed')
    assert.match(details.executionId ?? '', /^exec_[0-9a-z]{20,}$/)
    assert.deepEqual([details.node, details.operation, details.reason], ['load', 'image', 'input_not_found'])
  })

  test('the record of a failed execution has the error in the form of an error response, and no output', async () => {
    const reply = await patient.post<ErrorBody>('/workflows/execute', {
      workflowId: patientScaleId,
      parameters: { source: 'img_00000000000000000000' },
    })
    const { executionId = '' } = refused(reply, 'workflow_failed')
    const record = ok(await patient.get<Execution>(`/workflows/executions/${executionId}`))
    assertFields(record, ['completedAt', 'error', 'executionId', 'startedAt', 'status', 'workflowId'], added.execution)
    assert.equal(record.status, 'failed')
    assert.deepEqual(Object.keys(record.error ?? {}).sort(), ['code', 'details', 'message'])
    assert.deepEqual([record.error?.code, record.error?.message], ['workflow_failed', reply.body.error.message])
    const { node, operation, reason } = record.error?.details ?? {}
    assert.deepEqual([node, operation, reason], ['load', 'image', 'input_not_found'])
  })

  test('a failing asynchronous execution is accepted, and polling returns the same error', async () => {
    const ended = await api.ended(await startExecution('img_00000000000000000000'))
    assert.deepEqual(
      [ended.status, ended.error?.code, ended.error?.details.reason],
      ['failed', 'workflow_failed', 'input_not_found'],
    )
    assert.equal(ended.output, undefined)
  })

  test('a source that is not an image fails with input_invalid', async () => {
    const url = outside.serve('/page', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' }).end('<html>no picture</html>')
    })
    assert.equal((await api.ended(await startExecution(url))).error?.details.reason, 'input_invalid')
  })

  test('a source whose host returns an error fails with a documented reason', async () => {
    const url = outside.serve('/broken', (_request, response) => response.writeHead(503).end())
    const { error } = await api.ended(await startExecution(url))
    assert.ok(
      ['provider_unavailable', 'input_not_found', 'input_invalid'].includes(error?.details.reason ?? ''),
      JSON.stringify(error),
    )
  })

  test('a synchronous execution that exceeds the wait returns 202 with Location, continues and completes', async (t) => {
    const heldSource = hold(t)
    const reply = await api.post<Execution>('/workflows/execute', {
      workflowId: scaleId,
      parameters: { source: heldSource.url },
    })
    const body = ok(reply, 202)
    assertFields(body, ['executionId', 'status'])
    assert.equal(body.status, 'running')
    assert.equal(
      new URL(reply.headers.location ?? '', api.service.origin).pathname,
      `/v1/workflows/executions/${body.executionId}`,
    )
    heldSource.release()
    const ended = await api.ended(body.executionId)
    assert.deepEqual([ended.status, ended.output?.width], ['completed', 20], JSON.stringify(ended))
  })

  test('the duration of a synchronous execution is in milliseconds, from its acceptance to its output', async (t) => {
    const held = hold(t)
    const parameters = { source: held.url }
    const response = patient.post<Execution>('/workflows/execute', { workflowId: patientScaleId, parameters })
    await held.waiting()
    const fromMs = performance.now()
    await until('300 milliseconds', () => performance.now() - fromMs >= 300 || undefined)
    held.release()
    const { duration = 0 } = ok(await response)
    // The clocks of two processes can differ by some milliseconds.
    assert.ok(duration >= (isMany ? 200 : 300) && duration < 60_000, `${duration}`)
  })

  test('a running execution has the status running and its start, and neither an end nor an output', async (t) => {
    const held = hold(t)
    const id = await startExecution(held.url)
    await held.waiting()
    const record = await find(id)
    assertFields(record, ['executionId', 'startedAt', 'status', 'workflowId'], added.execution)
    assert.equal(record.status, 'running')
    held.release()
    assert.equal((await api.ended(id)).status, 'completed')
  })

  test('an account at its limit of waiting executions gets 429 with Retry-After, another account is accepted, and all accepted ones complete', async (t) => {
    const service = await smallService()
    const newOther = async () => {
      const { api: other } = await newAccount({ service })
      return { api: other, workflowId: (await save(other, scale())).id }
    }
    const [other, another] = [await newOther(), await newOther()]
    const beginBy = ({ api, workflowId }: typeof other, source = outside.url('/a.png')) =>
      api.post<Execution>('/workflows/execute', { workflowId, parameters: { source }, async: true })
    const lost = await startExecution('img_00000000000000000000')
    assert.equal((await api.ended(lost)).status, 'failed')
    const held = hold(t)
    const accepted = [await startExecution(held.url)]
    await held.waiting()
    accepted.push(await startExecution(outside.url('/a.png')), await startExecution(outside.url('/b.png')))
    const waiting = await find(accepted[2] ?? '')
    assertFields(waiting, ['executionId', 'status', 'workflowId'], added.execution)
    assert.equal(waiting.status, 'pending')

    for (const async of [true, false]) {
      const reply = await api.post('/workflows/execute', {
        workflowId: scaleId,
        parameters: { source: outside.url('/c.png') },
        async,
      })
      const details = refused(reply, 'rate_limited')
      assert.deepEqual([details.limit, details.retryAfterSeconds], [2, Number(reply.headers['retry-after'])])
      assert.ok(Number(reply.headers['retry-after']) > 0)
    }
    refused(await api.post(`/workflows/executions/${lost}/resume`, {}), 'rate_limited')
    // The slot is full for its own account only, because its execution waits for a download.
    const heldByOthers = [other, another].map((account) => ({ account, ...hold(t) }))
    for (const { account, url, waiting: isHeld } of heldByOthers) {
      ok(await beginBy(account, url), 202)
      await isHeld()
    }
    const ofOther = [await beginBy(other), await beginBy(other)].map((reply) => ok(reply, 202).executionId)
    // All accounts together have reached the limit of 4. The third one still has its share, a third of it.
    const { executionId: ofAnother } = ok(await beginBy(another), 202)
    refused(await beginBy(another), 'unavailable')
    held.release()
    for (const { release } of heldByOthers) release()
    assert.equal((await another.api.ended(ofAnother)).status, 'completed')
    for (const id of ofOther) assert.equal((await other.api.ended(id)).status, 'completed')
    for (const id of accepted) assert.equal((await api.ended(id)).status, 'completed')
    assert.ok(!outside.requested.includes('/c.png'), 'what was refused does not run')
  })

  test('cancelling a running execution makes it fail with the reason cancelled', async (t) => {
    const held = hold(t)
    const id = await startExecution(held.url)
    await held.waiting()
    ok(await api.post(`/workflows/executions/${id}/cancel`))
    const ended = await api.ended(id)
    assert.deepEqual(
      [ended.status, ended.error?.code, ended.error?.details.reason],
      ['failed', 'workflow_failed', 'cancelled'],
    )
    assert.equal(ended.output, undefined)
    held.release()
  })

  test('a cancelled waiting execution never runs', async (t) => {
    const held = hold(t)
    const running = await startExecution(held.url)
    await held.waiting()
    const waiting = await startExecution(outside.url('/never.png'))
    ok(await api.post(`/workflows/executions/${waiting}/cancel`))
    const record = await find(waiting)
    assertFields(record, ['completedAt', 'error', 'executionId', 'status', 'workflowId'], added.execution)
    assert.deepEqual([record.status, record.error?.details.reason], ['failed', 'cancelled'])
    held.release()
    assert.equal((await api.ended(running)).status, 'completed')
    assert.ok(!outside.requested.includes('/never.png'))
  })

  test('cancelling an ended execution changes nothing', async () => {
    const id = await startExecution(outside.url('/quick.png'))
    const ended = await api.ended(id)
    await api.post(`/workflows/executions/${id}/cancel`)
    assert.deepEqual(await find(id), ended)
  })

  test('cancelling an unknown execution is not_found', async () => {
    refused(await api.post('/workflows/executions/exec_00000000000000000000/cancel'), 'not_found')
  })

  test('a synchronous execution that is cancelled returns workflow_failed with the reason cancelled', async (t) => {
    const held = hold(t)
    const response = patient.post('/workflows/execute', {
      workflowId: patientScaleId,
      parameters: { source: held.url },
    })
    await held.waiting()
    const { executions } = ok(await patient.get<Executions>('/workflows/executions', { limit: 1 }))
    await patient.post(`/workflows/executions/${executions[0]?.executionId}/cancel`)
    assert.equal(refused(await response, 'workflow_failed').reason, 'cancelled')
    held.release()
  })

  test('an execution that exceeds its deadline fails with the reason timeout', async (t) => {
    const held = hold(t)
    const ended = await api.ended(await startExecution(held.url))
    assert.deepEqual([ended.status, ended.error?.details.reason], ['failed', 'timeout'])
    held.release()
  })

  test('a synchronous execution completes even if its client disconnects', async (t) => {
    const held = hold(t)
    const client = new AbortController()
    const response = fetch(`${api.service.origin}/v1/workflows/execute`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ workflowId: scaleId, parameters: { source: held.url } }),
      signal: client.signal,
    }).catch(() => undefined)
    await held.waiting()
    client.abort()
    await response
    const { executions } = ok(await api.get<Executions>('/workflows/executions', { limit: 1 }))
    held.release()
    assert.equal((await api.ended(executions[0]?.executionId ?? '')).status, 'completed')
  })

  test('after these tests the service has room again', async () => {
    const { id } = await save(api, canvas())
    await until('an accepted execution', async () => {
      const reply = await api.post<Execution>('/workflows/execute', { workflowId: id })
      return reply.body.status === 'completed' ? true : undefined
    })
  })
})
