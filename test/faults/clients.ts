/**
 * Clients that keep working while services die: they repeat a request with its Idempotency-Key if it gets no response, or
 * an error that isn't theirs. They remember all responses.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { canvas, scale } from '../harness/documents.ts'
import { ask, type HttpResponse } from '../harness/http.ts'
import { file, multipart, multipartType } from '../harness/multipart.ts'
import type { SourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import type { Random } from './random.ts'

/** Facts from responses. */
export interface Observed {
  accepted: Set<string>
  stored: Set<string>
  deleted: Set<string>
  /** SHA-256 of uploads. */
  uploads: Map<string, string>
  /** Results of executions that have ended. */
  outcomes: Map<string, string>
  /** The number of responses of each kind: `POST /storage/upload 201`. */
  responses: Map<string, number>
  /** Unexpected responses: permanent internal errors. */
  complaints: string[]
}

export interface Clients {
  known: Observed
  /** Starts no more requests; resolves when each request has its response. */
  stop(): Promise<void>
  /** Stops immediately. */
  giveUp(): void
  /** Retries a request until it has a response. */
  send(method: string, path: string, more?: Sent): Promise<HttpResponse>
}

interface Sent {
  body?: object | Buffer
  idempotencyKey?: string
  expected?: number[]
}

interface Surroundings {
  /** Addresses of services, which may be down. */
  origins: readonly string[]
  key: string
  count: number
  random: Random
  outside: SourceHost
}

/** Time limit of a response, because a stopped service never responds. */
const answerMsMax = 10_000
const againMs = 200
/** Waits until all requests have their responses, without further faults. */
const stopMsMax = 60_000

export function createObserved(): Observed {
  return {
    accepted: new Set(),
    stored: new Set(),
    deleted: new Set(),
    uploads: new Map(),
    outcomes: new Map(),
    responses: new Map(),
    complaints: [],
  }
}

export async function startClients({ origins, key, count, random, outside }: Surroundings): Promise<Clients> {
  const known = createObserved()
  const stopping = new AbortController()
  const givingUp = new AbortController()
  let keys = 0
  const newKey = () => `key ${++keys}`
  /** Requests with a response, which can be repeated. */
  const posted: { path: string; sent: Sent; id: string }[] = []
  /** A workflow that is never deleted, so that it can be executed. */
  const kept: string[] = []

  /** Resources that are read repeatedly, with the last response. */
  const unanswered = new Map<object, string>()

  async function send(method: string, path: string, sent: Sent = {}): Promise<HttpResponse> {
    const asking = {}
    try {
      return await sendUntilResponse(method, path, sent, (why) => unanswered.set(asking, `${method} ${path}: ${why}`))
    } finally {
      unanswered.delete(asking)
    }
  }

  async function sendUntilResponse(
    method: string,
    path: string,
    { body, idempotencyKey, expected }: Sent,
    onNoResponse: (why: string) => void,
  ): Promise<HttpResponse> {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(body && { 'content-type': body instanceof Buffer ? multipartType : 'application/json' }),
    }
    const bytes = body && (body instanceof Buffer ? body : Buffer.from(JSON.stringify(body)))
    for (let asked = 1; ; asked++) {
      const request = { method, headers, body: bytes, keepAlive: false, signal: AbortSignal.timeout(answerMsMax) }
      const response = await ask(random.pick(origins), path, request).catch((error) => {
        onNoResponse(error.message)
        return undefined
      })
      if (response) {
        const { status } = response
        const kind = `${method} ${path.replace(/(img|exec|wf)_\w+/, '*')} ${status}`
        known.responses.set(kind, (known.responses.get(kind) ?? 0) + 1)
        // A failing workflow returns 500.
        if (status < 500 || (status === 500 && response.bytes.includes('"workflow_failed"'))) {
          // An earlier attempt may have deleted it although its response was lost.
          const isGone = method === 'DELETE' && status === 404 && asked > 1
          // Kills can hit all attempts of one execution. The test counts the attempts of such executions.
          const isLost = path.endsWith('/execute') && status === 500 && response.bytes.includes('"worker_lost"')
          if (expected && !expected.includes(status) && !isGone && !isLost)
            known.complaints.push(`${kind}: ${response.bytes}`)
          return response
        }
        onNoResponse(`${status} ${response.bytes}`)
        if (status !== 503) known.complaints.push(`${kind}: ${response.bytes}`)
      }
      await pause(againMs, undefined, { signal: givingUp.signal })
    }
  }

  async function post(
    path: string,
    sent: Sent,
  ): Promise<{ status: number; id: string; body: Record<string, unknown> }> {
    const { status, bytes } = await send('POST', path, sent)
    const body = JSON.parse(bytes.toString())
    const id: string = body.id ?? body.executionId ?? body.error?.details?.executionId ?? ''
    if (status < 300 || id !== '') posted.push({ path, sent, id })
    if (posted.length > 100) posted.shift()
    return { status, id, body }
  }

  async function upload(): Promise<string> {
    const side = random.pick([16, 16, 16, 64, 400])
    const raw = { width: side, height: side, channels: 3 as const }
    const noise = random.bytes(32)
    const png = await sharp(Buffer.alloc(side * side * 3, noise), { raw })
      .png({ compressionLevel: side > 100 ? 0 : 6 })
      .toBuffer()
    const sent = { body: multipart([file(png)]), idempotencyKey: newKey(), expected: [201] }
    const { id } = await post('/v1/storage/upload', sent)
    known.stored.add(id)
    known.uploads.set(id, createHash('sha256').update(png).digest('hex'))
    return id
  }

  async function execute(body: object, path = '/v1/workflows/execute', expected = [200, 202]): Promise<Execution> {
    const executed = await post(path, { body, idempotencyKey: newKey(), expected })
    if (executed.id === '') throw new Error(`no execution: ${executed.status} ${JSON.stringify(executed.body)}`)
    known.accepted.add(executed.id)
    const execution = { ...(executed.body as unknown as Execution), executionId: executed.id }
    if (executed.status === 200) remember(execution)
    return execution
  }

  /** A final result never changes. */
  function remember({ executionId, status, output }: Execution): void {
    const outcome = JSON.stringify([status, output ?? null])
    const before = known.outcomes.get(executionId)
    if (before !== undefined && before !== outcome)
      known.complaints.push(`${executionId} was ${before}, then ${outcome}`)
    known.outcomes.set(executionId, outcome)
  }

  async function look(executionId: string): Promise<Execution> {
    const { bytes } = await send('GET', `/v1/workflows/executions/${executionId}`, { expected: [200] })
    const now = JSON.parse(bytes.toString()) as Execution
    if (now.status === 'completed' || now.status === 'failed') remember(now)
    return now
  }

  async function remove(id: string): Promise<void> {
    await send('DELETE', `/v1/storage/images/${id}`, { expected: [200] })
    known.deleted.add(id)
    const { status } = await send('GET', `/images/${id}.png`)
    if (status !== 404) known.complaints.push(`${id} was deleted, and is served with ${status}`)
  }

  let paths = 0
  /** An image that arrives after a delay. */
  function slow(msMax: number): string {
    const ms = random.below(msMax)
    const path = `/slow-${++paths}`
    return outside.serve(path, (_request, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(picture), ms)
    })
  }
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#208040' } })
    .png()
    .toBuffer()

  const scaling = (await post('/v1/workflows', { body: scale(), idempotencyKey: newKey() })).id
  const failing = (await post('/v1/workflows', { body: cutting(), idempotencyKey: newKey() })).id
  for (const id of [scaling, failing]) known.stored.add(id)
  for (let i = 0; i < 3; i++) kept.push(await upload())

  const imageOf = ({ output }: Execution) => /img_\w+/.exec(output?.url ?? '')?.[0]
  const scaled = (source: string, rest: object = {}) => ({
    workflowId: scaling,
    parameters: { source, width: 1 + random.below(300) },
    ...rest,
  })
  const deeds: (() => Promise<unknown>)[] = [
    upload,
    async () => {
      if (kept.length < 30) kept.push(await upload())
      else await upload()
    },
    () => execute(scaled(random.pick(kept))),
    () => execute(scaled(random.pick(kept), { async: true })),
    () => execute(scaled(slow(3_000), { async: true })),
    () => execute(scaled(slow(1_000))),
    async () => remove(await upload()),
    async () => {
      const id = imageOf(await execute(scaled(random.pick(kept))))
      if (id) await remove(id)
    },
    async () => {
      const { executionId } = await execute(scaled(slow(2_000), { async: true }))
      await pause(random.below(1_000))
      await send('POST', `/v1/workflows/executions/${executionId}/cancel`, { expected: [200] })
      await look(executionId)
    },
    async () => {
      const parameters = { source: random.pick(kept), left: 5_000, sigma: 1 + random.below(1_000) / 100 }
      const { executionId } = await execute({ workflowId: failing, parameters }, undefined, [202, 500])
      const { status } = await look(executionId)
      if (status === 'failed')
        await execute({ parameters: { left: 0 } }, `/v1/workflows/executions/${executionId}/resume`, [200, 202, 500])
    },
    async () => {
      const body = scaled(random.pick(kept), { async: true })
      const sent = { body, idempotencyKey: newKey(), expected: [202] }
      const [first, second] = await Promise.all([0, 1].map(() => post('/v1/workflows/execute', sent)))
      for (const each of [first, second]) known.accepted.add(each?.id ?? '')
      if (first?.id !== second?.id) known.complaints.push(`one key made ${first?.id} and ${second?.id}`)
    },
    async () => {
      if (posted.length === 0) return
      const { path, sent, id } = random.pick(posted)
      const again = await post(path, sent)
      if (again.id !== id) known.complaints.push(`POST ${path} gave ${id}, then ${again.id}`)
    },
    async () => {
      await look(random.pick([...known.accepted]))
    },
    async () => {
      await verifyUpload(random.pick(kept))
    },
    () => post('/v1/workflows', { body: canvas(), idempotencyKey: newKey() }).then(({ id }) => known.stored.add(id)),
  ]

  async function verifyUpload(id: string): Promise<void> {
    const { status, bytes } = await send('GET', `/images/${id}.png`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== known.uploads.get(id)) known.complaints.push(`${id} was stored, and is served with ${status}`)
  }

  async function live(): Promise<void> {
    while (!stopping.signal.aborted) {
      await random.pick(deeds)()
      await pause(random.below(60))
    }
  }
  await execute(scaled(random.pick(kept)))
  const lives = Promise.all(Array.from({ length: count }, live))
  // `stop` reports an error of any client.
  lives.catch(() => undefined)
  return {
    known,
    send,
    async stop() {
      stopping.abort()
      const over = new AbortController()
      const late = pause(stopMsMax, 'late', { signal: over.signal }).catch(() => 'over')
      try {
        if ((await Promise.race([lives, late])) !== 'late') return
        throw new Error(`Not answered for ${stopMsMax} ms: ${[...unanswered.values()].join('; ')}`)
      } finally {
        over.abort()
      }
    },
    giveUp() {
      stopping.abort()
      givingUp.abort()
    },
  }
}

/**
 * Checks that all accepted executions have ended, that uploads are served unchanged, and that every response is still
 * true.
 */
export async function verifyObserved({ known, send }: Clients): Promise<void> {
  for (const id of known.accepted) {
    const { status, bytes } = await send('GET', `/v1/workflows/executions/${id}`)
    assert.equal(status, 200, `${id} was accepted: ${bytes}`)
    const now = JSON.parse(bytes.toString()) as Execution
    assert.ok(['completed', 'failed'].includes(now.status), `${id} is ${now.status}`)
    const outcome = known.outcomes.get(id)
    if (outcome) assert.equal(JSON.stringify([now.status, now.output ?? null]), outcome, `${id} has changed`)
  }
  for (const [id, sha256] of known.uploads) {
    const { status, bytes } = await send('GET', `/images/${id}.png`)
    assert.equal(status, known.deleted.has(id) ? 404 : 200, `${id} is served`)
    if (status === 200) assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, `${id}: its bytes`)
  }
  assert.deepEqual(known.complaints.slice(0, 5), [])
}

/** Fails at `cut` if `left` is outside of the image, after a step that is worth storing. */
export function cutting() {
  return {
    name: 'Cut',
    parameters: [
      { name: 'source', type: 'string', required: true },
      { name: 'left', type: 'number', default: 0 },
      { name: 'sigma', type: 'number', default: 2 },
    ],
    nodes: {
      load: { type: 'image', params: { source: '{{ source }}' } },
      large: { type: 'resize', inputs: { image: 'load' }, params: { width: 500 } },
      soft: { type: 'blur', inputs: { image: 'large' }, params: { sigma: '{{ sigma }}' } },
      known: { type: 'info', inputs: { image: 'soft' } },
      cut: { type: 'crop', inputs: { image: 'known' }, params: { x: '{{ left }}', y: 0, width: 10, height: 10 } },
    },
    output: { node: 'cut', format: 'png' },
  }
}
