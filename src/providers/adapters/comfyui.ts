/**
 * The operator's ComfyUI with the operator's graphs: https://docs.comfy.org/development/comfyui-server/comms_routes.
 * It accepts our id for a job, so a job that may have been sent can be looked up.
 */
import { createHash } from 'node:crypto'
import type { Handle } from '../../domain/models/provider-call.ts'
import { HttpProblem, type ProviderResponse } from '../../net/provider-http.ts'
import {
  type Call,
  defineProvider,
  type Polled,
  type ProviderContext,
  ProviderProblem,
  type ProviderResult,
  type Started,
} from '../define.ts'
import { type ComfyTemplate, type GraphNode, type NodeInput, readTemplates } from './comfyui/templates.ts'
import {
  badOutput,
  beforePaying,
  clean,
  type ErrorReport,
  type Fields,
  fieldsOf,
  idOf,
  isGarbled,
  isSuccess,
  pollProblem,
  problem,
  resultSeconds,
  submitProblem,
  submitSeconds,
  textOf,
  unknownOutcome,
} from './shared/responses.ts'

const title = 'ComfyUI'
/** Number of recent jobs to search: the job was sent a moment ago. */
const historyMax = 100

export const comfyui = defineProvider({
  id: 'comfyui',
  title,
  summary: 'Your own ComfyUI server: each graph in COMFYUI_WORKFLOWS is a model.',
  docsUrl: 'https://docs.comfy.org/development/comfyui-server/comms_routes',
  settings: {
    workflows: {
      names: ['COMFYUI_WORKFLOWS'],
      summary: 'Folder with graphs, a JSON file each; the name of the file is that of the model.',
    },
    apiKey: {
      names: ['COMFYUI_API_KEY'],
      summary: 'Bearer token, if a proxy in front of ComfyUI requires one.',
      isSecret: true,
    },
  },
  baseUrl: { names: ['COMFYUI_BASE_URL'] },
  models: async ({ workflows }) => (workflows === undefined ? [] : readTemplates(workflows)),
  // It runs one job at a time.
  concurrency: 2,
  missingConfig: ({ workflows }) =>
    workflows === undefined ? 'set COMFYUI_WORKFLOWS to a folder with graphs' : undefined,

  async start(call, context): Promise<Started> {
    const template = templateOf(call)
    const graph = await filled(template, call, context)
    const promptId = uuidOf(call.id)
    const response = await context.http.request({
      method: 'POST',
      url: `${context.baseUrl}/prompt`,
      headers: headers(context),
      json: { prompt: graph, client_id: promptId, prompt_id: promptId },
      timeoutSeconds: submitSeconds,
      signal: context.signal,
    })
    const body = fieldsOf(response.json())
    const report = reportOf(context)
    if (response.status === 400) throw nodeProblem(response, body, template.graph, report)
    if (!isSuccess(response)) throw submitProblem(response, report)
    // Old versions ignore our id and create one. Then the job can be found by the client id.
    const id = idOf(body?.prompt_id)
    if (id === undefined) throw unknownOutcome(response, report)
    return { handle: { promptId: id }, requestId: id }
  },

  async find(call, context): Promise<Started | undefined> {
    const promptId = uuidOf(call.id)
    try {
      // The queue first, because a job that ends in between is in the history.
      const found = (await queuedBy(promptId, context)) ?? (await endedBy(promptId, context))
      return found === undefined ? undefined : { handle: { promptId: found }, requestId: found }
    } catch (error) {
      if (!(error instanceof Later)) throw error
      throw new HttpProblem('broken', false, `${title} could not list its jobs.`, { cause: error })
    }
  },

  async poll(handle, call, context): Promise<Polled> {
    const { promptId } = handle as ComfyHandle
    try {
      const entry =
        (await historyOf(promptId, context)) ??
        ((await isQueued(promptId, context)) ? undefined : ((await historyOf(promptId, context)) ?? 'gone'))
      if (entry === undefined) return { pending: {} }
      if (entry === 'gone')
        throw new ProviderProblem(
          'expired',
          `${title} no longer has the job ${promptId}. It may have been restarted. Execute again.`,
          {
            billed: 'no',
            requestId: promptId,
          },
        )
      return { done: await resultOf(entry, call, promptId, context) }
    } catch (error) {
      if (error instanceof Later) return error.polled
      throw error
    }
  },

  async cancel(handle, context) {
    const { promptId } = handle as ComfyHandle
    const send = (path: string, json: unknown) => {
      const { baseUrl, http, signal } = context
      return http.request({ method: 'POST', url: `${baseUrl}/${path}`, headers: headers(context), json, signal })
    }
    await send('queue', { delete: [promptId] })
    // Old versions interrupt the current job, whichever it is.
    const queue = fieldsOf((await get('queue', context)).json())
    if (listOf(queue?.queue_running).includes(promptId)) await send('interrupt', { prompt_id: promptId })
  },
})

type ComfyHandle = Handle & { promptId: string }

/** Thrown if a poll should be repeated. */
class Later extends Error {
  readonly polled: Polled

  constructor(polled: Polled) {
    super('later')
    this.polled = polled
  }
}

/** The same UUID for the same call: 16 bytes of a hash in the format that ComfyUI requires. */
export function uuidOf(callId: string): string {
  const bytes = createHash('sha256').update(callId).digest().subarray(0, 16)
  // RFC 9562, 5.8: version 8 is for custom formats.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function headers({ settings }: ProviderContext): Record<string, string> {
  return { accept: 'application/json', ...(settings.apiKey && { authorization: `Bearer ${settings.apiKey}` }) }
}

function templateOf({ model }: Call): ComfyTemplate {
  const template = model['x-template'] as ComfyTemplate | undefined
  if (template) return template
  throw new ProviderProblem('unsupported', `${title} has no graph ${model.name} in COMFYUI_WORKFLOWS.`)
}

async function filled(template: ComfyTemplate, call: Call, context: ProviderContext) {
  const { request } = call
  const graph = structuredClone(template.graph)
  const put = (inputs: readonly NodeInput[] | undefined, value: unknown) => {
    if (value === undefined) return
    for (const [node, input] of inputs ?? []) Object.assign(graph[node]?.inputs ?? {}, { [input]: value })
  }
  const { inputs } = template
  put(inputs.prompt, request.prompt)
  put(inputs.instructions, request.instructions)
  put(inputs.width, request.size?.width)
  put(inputs.height, request.size?.height)
  put(inputs.aspectRatio, request.aspectRatio)
  put(inputs.seed, request.seed)
  put(inputs.scale, request.scale)
  for (const [n, { bytes, mediaType }] of request.images.entries()) {
    const name = `${call.id}_${n}.${mediaType.split('/')[1]}`
    const value = await upload(name, bytes, mediaType, context)
    put(inputs.images ? inputs.images.slice(n, n + 1) : inputs.image, value)
    if (n === 0 && inputs.images) put(inputs.image, value)
  }
  if (request.mask) {
    const bytes = await request.mask[template.mask]()
    put(inputs.mask, await upload(`${call.id}_mask.png`, bytes, 'image/png', context))
  }
  return graph
}

/** Uploads an image into the input folder. Returns its name for nodes that load images. */
async function upload(name: string, bytes: Buffer, type: string, context: ProviderContext): Promise<string> {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(bytes)], { type }), name)
  form.set('type', 'input')
  form.set('overwrite', 'true')
  const { baseUrl, http, signal } = context
  const sent = http.request({
    method: 'POST',
    url: `${baseUrl}/upload/image`,
    headers: headers(context),
    form,
    timeoutSeconds: submitSeconds,
    signal,
  })
  const response = await beforePaying(title, 'an image', sent)
  const body = fieldsOf(response.json())
  const stored = textOf(body?.name)
  if (isSuccess(response) && stored !== undefined) {
    const subfolder = textOf(body?.subfolder)
    return subfolder === undefined ? stored : `${subfolder}/${stored}`
  }
  const report = reportOf(context)
  if (response.status >= 400 && response.status < 500) throw submitProblem(response, report)
  throw problem('down', response, report, 'did not take an image')
}

function get(path: string, context: ProviderContext): Promise<ProviderResponse> {
  const { baseUrl, http, signal } = context
  return http.request({ method: 'GET', url: `${baseUrl}/${path}`, headers: headers(context), signal })
}

async function fieldsAt(path: string, context: ProviderContext): Promise<Fields> {
  return fieldsIn(await get(path, context), context)
}

function fieldsIn(response: ProviderResponse, context: ProviderContext): Fields {
  const report = reportOf(context)
  if (!isSuccess(response)) throw new Later(pollProblem(response, report))
  if (isGarbled(response)) throw new Later({ pending: {} })
  const body = fieldsOf(response.json())
  if (body === undefined) throw badOutput(response, report, 'returned an unreadable response about a job')
  return body
}

/** `{}` for a job that is unknown or hasn't ended. */
async function historyOf(promptId: string, context: ProviderContext): Promise<Fields | undefined> {
  return fieldsOf((await fieldsAt(`history/${promptId}`, context))[promptId])
}

/** The id of the job that was sent with this id, even if ComfyUI gave it another: in the queue, or in the history. */
async function queuedBy(promptId: string, context: ProviderContext): Promise<string | undefined> {
  const { queue_running, queue_pending } = await fieldsAt('queue', context)
  const jobs = [queue_running, queue_pending].flat().filter((job) => Array.isArray(job))
  return idOf(jobs.find((job) => isOf(job, promptId))?.[1])
}

async function endedBy(promptId: string, context: ProviderContext): Promise<string | undefined> {
  if ((await historyOf(promptId, context)) !== undefined) return promptId
  const response = await get(`history?max_items=${historyMax}`, context)
  // A proxy may allow only requests for a single job.
  if (response.status === 404) return undefined
  const newest = Object.entries(fieldsIn(response, context))
  return idOf(newest.find(([, entry]) => isOf(fieldsOf(entry)?.prompt, promptId))?.[0])
}

/** `[number, id, graph, {"client_id": ...}, ...]` */
function isOf(job: unknown, promptId: string): boolean {
  return Array.isArray(job) && (job[1] === promptId || fieldsOf(job[3])?.client_id === promptId)
}

async function isQueued(promptId: string, context: ProviderContext): Promise<boolean> {
  const { queue_running, queue_pending } = await fieldsAt('queue', context)
  return [...listOf(queue_running), ...listOf(queue_pending)].includes(promptId)
}

/** Schema of entries like `[number, id, ...]`. */
function listOf(entries: unknown): unknown[] {
  return Array.isArray(entries) ? entries.map((entry) => (Array.isArray(entry) ? entry[1] : undefined)) : []
}

async function resultOf(
  entry: Fields,
  call: Call,
  promptId: string,
  context: ProviderContext,
): Promise<ProviderResult> {
  const { output, graph } = templateOf(call)
  const failed = failureOf(entry, graph, promptId, context)
  if (failed) throw failed
  const gave = fieldsOf(fieldsOf(entry.outputs)?.[output])
  const noOutput = (noun: string) => {
    const node = `node ${output}${nameOf(graph[output])}`
    return new ProviderProblem('no_output', `${title}: ${node} returned no ${noun}.`, {
      requestId: promptId,
      billed: 'no',
    })
  }
  if (call.capability === 'describe' || call.capability === 'write' || call.capability === 'judge') {
    const text = [gave?.text ?? gave?.string].flat().filter((part) => typeof part === 'string')
    if (text.length === 0) throw noOutput('text')
    return { text: text.join('\n'), requestId: promptId }
  }
  const files = [gave?.images].flat().map(fieldsOf)
  const images: Buffer[] = []
  for (const file of files) {
    const filename = textOf(file?.filename)
    if (filename === undefined) throw noOutput('image')
    const query = new URLSearchParams({
      filename,
      subfolder: textOf(file?.subfolder) ?? '',
      type: textOf(file?.type) ?? 'output',
    })
    images.push(await view(`${context.baseUrl}/view?${query}`, context))
  }
  return { images, requestId: promptId }
}

async function view(url: string, context: ProviderContext): Promise<Buffer> {
  const { http, signal } = context
  const imageHeaders = { ...headers(context), accept: 'image/*' }
  const response = await http.request({
    method: 'GET',
    url,
    headers: imageHeaders,
    timeoutSeconds: resultSeconds,
    signal,
  })
  if (isSuccess(response)) return response.bytes
  throw new Later(pollProblem(response, reportOf(context)))
}

function failureOf(
  entry: Fields,
  graph: Record<string, GraphNode>,
  promptId: string,
  { settings }: ProviderContext,
): ProviderProblem | undefined {
  const status = fieldsOf(entry.status)
  const messages = Array.isArray(status?.messages) ? status.messages : []
  const detailsOf = (name: string) =>
    fieldsOf(messages.find((message) => Array.isArray(message) && message[0] === name)?.[1])
  const facts = { requestId: promptId, billed: 'no' } as const
  if (detailsOf('execution_interrupted'))
    return new ProviderProblem('cancelled', `${title} interrupted the job ${promptId}.`, facts)
  if (status?.status_str !== 'error') return undefined
  const error = detailsOf('execution_error')
  const node = String(error?.node_id ?? '')
  const at = node === '' ? '' : ` at node ${node}${nameOf(graph[node])}`
  const words = (textOf(error?.exception_message) ?? 'no reason given').trim()
  return new ProviderProblem('no_output', `${title} failed${at}: ${clean(words, settings.apiKey)}`, facts)
}

/** `{"error": {...}, "node_errors": {"6": {"errors": [{"message": ..., "details": ...}]}}}` */
function nodeProblem(
  response: ProviderResponse,
  body: Fields | undefined,
  graph: Record<string, GraphNode>,
  report: ErrorReport,
): ProviderProblem {
  const errors = fieldsOf(body?.node_errors) ?? {}
  const [node] = Object.keys(errors)
  const error = fieldsOf(body?.error)
  const code = textOf(error?.type)
  const common = { ...report, ...(code !== undefined && { code }) }
  if (node === undefined) {
    const words = [textOf(error?.message), textOf(error?.details)].filter(Boolean).join(' ')
    return problem('invalid_request', response, words === '' ? common : { ...common, words }, 'rejected the graph')
  }
  const first = fieldsOf([fieldsOf(errors[node])?.errors].flat()[0])
  const words = [textOf(first?.message), textOf(first?.details)].filter(Boolean).join(': ')
  const message = `rejected node ${node}${nameOf(graph[node])} of the graph`
  return problem('invalid_request', response, { ...common, words }, message)
}

function nameOf(node: GraphNode | undefined): string {
  return node === undefined ? '' : ` (${node.class_type})`
}

function reportOf({ settings }: ProviderContext): ErrorReport {
  return { title, secret: settings.apiKey }
}
