/**
 * Clients that keep working while services die: they repeat a request with its Idempotency-Key if it gets no response, or
 * an error that isn't theirs. They remember all responses.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { canvas, scale } from '../harness/documents.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
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
  unexpected: string[]
}

export interface Clients {
  observed: Observed
  /** Starts no more requests; resolves when each request has its response. */
  stop(): Promise<void>
  /** Stops immediately. */
  abandon(): void
  /** Retries a request until it has a response. */
  send(method: string, path: string, more?: SendOptions): Promise<HttpResponse>
}

interface SendOptions {
  body?: object | Buffer
  idempotencyKey?: string
  expected?: number[]
}

interface ClientOptions {
  /** Addresses of services, which may be down. */
  origins: readonly string[]
  key: string
  count: number
  random: Random
  outside: SourceHost
}

/** Time limit of a response, because a stopped service never responds. */
const responseMsMax = 10_000
const retryDelayMs = 200
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
    unexpected: [],
  }
}

export async function startClients({ origins, key, count, random, outside }: ClientOptions): Promise<Clients> {
  const observed = createObserved()
  const stopping = new AbortController()
  const givingUp = new AbortController()
  let keys = 0
  const newKey = () => `key ${++keys}`
  /** Requests with a response, which can be repeated. */
  const posted: { path: string; options: SendOptions; id: string }[] = []
  /** A workflow that is never deleted, so that it can be executed. */
  const images: string[] = []

  /** Resources that are read repeatedly, with the last response. */
  const pending = new Map<object, string>()

  async function send(method: string, path: string, options: SendOptions = {}): Promise<HttpResponse> {
    const request = {}
    try {
      return await sendUntilResponse(method, path, options, (why) => pending.set(request, `${method} ${path}: ${why}`))
    } finally {
      pending.delete(request)
    }
  }

  async function sendUntilResponse(
    method: string,
    path: string,
    { body, idempotencyKey, expected }: SendOptions,
    onNoResponse: (why: string) => void,
  ): Promise<HttpResponse> {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      ...(body && { 'content-type': body instanceof Buffer ? multipartType : 'application/json' }),
    }
    const bytes = body && (body instanceof Buffer ? body : Buffer.from(JSON.stringify(body)))
    for (let attempt = 1; ; attempt++) {
      const request = { method, headers, body: bytes, keepAlive: false, signal: AbortSignal.timeout(responseMsMax) }
      const response = await sendRequest(random.pick(origins), path, request).catch((error) => {
        onNoResponse(error.message)
        return undefined
      })
      if (response) {
        const { status } = response
        const kind = `${method} ${path.replace(/(img|exec|wf)_\w+/, '*')} ${status}`
        observed.responses.set(kind, (observed.responses.get(kind) ?? 0) + 1)
        // A failing workflow returns 500.
        if (status < 500 || (status === 500 && response.bytes.includes('"workflow_failed"'))) {
          // An earlier attempt may have deleted it although its response was lost.
          const isGone = method === 'DELETE' && status === 404 && attempt > 1
          // Kills can hit all attempts of one execution. The test counts the attempts of such executions.
          const isLost = path.endsWith('/execute') && status === 500 && response.bytes.includes('"worker_lost"')
          if (expected && !expected.includes(status) && !isGone && !isLost)
            observed.unexpected.push(`${kind}: ${response.bytes}`)
          return response
        }
        onNoResponse(`${status} ${response.bytes}`)
        if (status !== 503) observed.unexpected.push(`${kind}: ${response.bytes}`)
      }
      await pause(retryDelayMs, undefined, { signal: givingUp.signal })
    }
  }

  async function post(
    path: string,
    options: SendOptions,
  ): Promise<{ status: number; id: string; body: Record<string, unknown> }> {
    const { status, bytes } = await send('POST', path, options)
    const body = JSON.parse(bytes.toString())
    const id: string = body.id ?? body.executionId ?? body.error?.details?.executionId ?? ''
    if (status < 300 || id !== '') posted.push({ path, options, id })
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
    const options = { body: multipart([file(png)]), idempotencyKey: newKey(), expected: [201] }
    const { id } = await post('/v1/storage/upload', options)
    observed.stored.add(id)
    observed.uploads.set(id, createHash('sha256').update(png).digest('hex'))
    return id
  }

  async function execute(body: object, path = '/v1/workflows/execute', expected = [200, 202]): Promise<Execution> {
    const executed = await post(path, { body, idempotencyKey: newKey(), expected })
    if (executed.id === '') throw new Error(`no execution: ${executed.status} ${JSON.stringify(executed.body)}`)
    observed.accepted.add(executed.id)
    const execution = { ...(executed.body as unknown as Execution), executionId: executed.id }
    if (executed.status === 200) recordOutcome(execution)
    return execution
  }

  /** A final result never changes. */
  function recordOutcome({ executionId, status, output }: Execution): void {
    const outcome = JSON.stringify([status, output ?? null])
    const before = observed.outcomes.get(executionId)
    if (before !== undefined && before !== outcome)
      observed.unexpected.push(`${executionId} was ${before}, then ${outcome}`)
    observed.outcomes.set(executionId, outcome)
  }

  async function getExecution(executionId: string): Promise<Execution> {
    const { bytes } = await send('GET', `/v1/workflows/executions/${executionId}`, { expected: [200] })
    const now = JSON.parse(bytes.toString()) as Execution
    if (now.status === 'completed' || now.status === 'failed') recordOutcome(now)
    return now
  }

  async function remove(id: string): Promise<void> {
    await send('DELETE', `/v1/storage/images/${id}`, { expected: [200] })
    observed.deleted.add(id)
    const { status } = await send('GET', `/images/${id}.png`)
    if (status !== 404) observed.unexpected.push(`${id} was deleted, and is served with ${status}`)
  }

  let paths = 0
  /** An image that arrives after a delay. */
  function slow(msMax: number): string {
    const ms = random.below(msMax)
    const path = `/slow-${++paths}`
    return outside.serve(path, (_request, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(image), ms)
    })
  }
  const image = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#208040' } })
    .png()
    .toBuffer()

  const scaling = (await post('/v1/workflows', { body: scale(), idempotencyKey: newKey() })).id
  const failing = (await post('/v1/workflows', { body: cropWorkflow(), idempotencyKey: newKey() })).id
  for (const id of [scaling, failing]) observed.stored.add(id)
  for (let i = 0; i < 3; i++) images.push(await upload())

  const imageOf = ({ output }: Execution) => /img_\w+/.exec(output?.url ?? '')?.[0]
  const scaled = (source: string, rest: object = {}) => ({
    workflowId: scaling,
    parameters: { source, width: 1 + random.below(300) },
    ...rest,
  })
  const actions: (() => Promise<unknown>)[] = [
    upload,
    async () => {
      if (images.length < 30) images.push(await upload())
      else await upload()
    },
    () => execute(scaled(random.pick(images))),
    () => execute(scaled(random.pick(images), { async: true })),
    () => execute(scaled(slow(3_000), { async: true })),
    () => execute(scaled(slow(1_000))),
    async () => remove(await upload()),
    async () => {
      const id = imageOf(await execute(scaled(random.pick(images))))
      if (id) await remove(id)
    },
    async () => {
      const { executionId } = await execute(scaled(slow(2_000), { async: true }))
      await pause(random.below(1_000))
      await send('POST', `/v1/workflows/executions/${executionId}/cancel`, { expected: [200] })
      await getExecution(executionId)
    },
    async () => {
      const parameters = { source: random.pick(images), left: 5_000, sigma: 1 + random.below(1_000) / 100 }
      const { executionId } = await execute({ workflowId: failing, parameters }, undefined, [202, 500])
      const { status } = await getExecution(executionId)
      if (status === 'failed')
        await execute({ parameters: { left: 0 } }, `/v1/workflows/executions/${executionId}/resume`, [200, 202, 500])
    },
    async () => {
      const body = scaled(random.pick(images), { async: true })
      const options = { body, idempotencyKey: newKey(), expected: [202] }
      const [first, second] = await Promise.all([0, 1].map(() => post('/v1/workflows/execute', options)))
      for (const each of [first, second]) observed.accepted.add(each?.id ?? '')
      if (first?.id !== second?.id) observed.unexpected.push(`one key made ${first?.id} and ${second?.id}`)
    },
    async () => {
      if (posted.length === 0) return
      const { path, options, id } = random.pick(posted)
      const again = await post(path, options)
      if (again.id !== id) observed.unexpected.push(`POST ${path} gave ${id}, then ${again.id}`)
    },
    async () => {
      await getExecution(random.pick([...observed.accepted]))
    },
    async () => {
      await verifyUpload(random.pick(images))
    },
    () => post('/v1/workflows', { body: canvas(), idempotencyKey: newKey() }).then(({ id }) => observed.stored.add(id)),
  ]

  async function verifyUpload(id: string): Promise<void> {
    const { status, bytes } = await send('GET', `/images/${id}.png`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== observed.uploads.get(id)) observed.unexpected.push(`${id} was stored, and is served with ${status}`)
  }

  async function runClient(): Promise<void> {
    while (!stopping.signal.aborted) {
      await random.pick(actions)()
      await pause(random.below(60))
    }
  }
  await execute(scaled(random.pick(images)))
  const clients = Promise.all(Array.from({ length: count }, runClient))
  // `stop` reports an error of any client.
  clients.catch(() => undefined)
  return {
    observed,
    send,
    async stop() {
      stopping.abort()
      const over = new AbortController()
      const timedOut = pause(stopMsMax, 'late', { signal: over.signal }).catch(() => 'over')
      try {
        if ((await Promise.race([clients, timedOut])) !== 'late') return
        throw new Error(`Not answered for ${stopMsMax} ms: ${[...pending.values()].join('; ')}`)
      } finally {
        over.abort()
      }
    },
    abandon() {
      stopping.abort()
      givingUp.abort()
    },
  }
}

/**
 * Checks that all accepted executions have ended, that uploads are served unchanged, and that every response is still
 * true.
 */
export async function verifyObserved({ observed, send }: Clients): Promise<void> {
  for (const id of observed.accepted) {
    const { status, bytes } = await send('GET', `/v1/workflows/executions/${id}`)
    assert.equal(status, 200, `${id} was accepted: ${bytes}`)
    const now = JSON.parse(bytes.toString()) as Execution
    assert.ok(['completed', 'failed'].includes(now.status), `${id} is ${now.status}`)
    const outcome = observed.outcomes.get(id)
    if (outcome) assert.equal(JSON.stringify([now.status, now.output ?? null]), outcome, `${id} has changed`)
  }
  for (const [id, sha256] of observed.uploads) {
    const { status, bytes } = await send('GET', `/images/${id}.png`)
    assert.equal(status, observed.deleted.has(id) ? 404 : 200, `${id} is served`)
    if (status === 200) assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256, `${id}: its bytes`)
  }
  assert.deepEqual(observed.unexpected.slice(0, 5), [])
}

/** Fails at `cut` if `left` is outside of the image, after a step that is worth storing. */
/** Several outputs, of which the last fails if `bytes` is too small. */
export function outputsWorkflow() {
  const { parameters, nodes, ...rest } = cropWorkflow()
  return {
    ...rest,
    name: 'Outputs',
    parameters: [...parameters, { name: 'bytes', type: 'number', default: 100_000 }],
    nodes,
    outputs: {
      set: { node: 'soft', widths: [16, 32], formats: ['webp', 'jpeg'] },
      print: { node: ['cut', 'soft'], format: 'pdf' },
      small: { node: 'soft', format: 'jpeg', maxBytes: '{{ bytes }}' },
    },
  }
}

export function cropWorkflow() {
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
