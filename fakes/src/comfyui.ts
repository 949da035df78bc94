/** A ComfyUI: queued graphs, whose ids the client can choose. No key. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FakeContext, FakeKind, FakeRequest } from './fake.ts'
import { whiteMask } from './images.ts'
import type { Job } from './jobs.ts'
import { fieldsOf, imageOf, type SentImage } from './request-fields.ts'
import { type FakeResponse, Refusal } from './responses.ts'
import { writtenText } from './texts.ts'
import { type Act, renderImage } from './work.ts'

export const comfyui: FakeKind = {
  id: 'comfyui',
  title: 'ComfyUI',
  env: (url) => ({ COMFYUI_BASE_URL: url, COMFYUI_WORKFLOWS: join(import.meta.dirname, 'comfyui-workflows') }),
  unauthorized: () => undefined,
  async respond(request, context) {
    const act =
      routes[`${request.method} ${request.path.replace(/^\/api(?=\/)/, '').replace(/^\/history\/.+/, '/history/*')}`]
    return act ? act(request, context) : { status: 404, body: '404: Not Found', type: 'text/plain' }
  },
  error: (status, message) => ({ status, body: `${status}: ${message}`, type: 'text/plain' }),
  quota: { status: 503, body: '503: Service Unavailable', type: 'text/plain' },
}

type Route = (request: FakeRequest, context: FakeContext) => FakeResponse | Promise<FakeResponse>
const routes: Record<string, Route> = {
  'GET /system_stats': () => ({ status: 200, json: { system: { comfyui_version: 'fake' }, devices: [] } }),
  'GET /queue': (_request, context) => ({ status: 200, json: queue(context) }),
  'GET /history/*': history,
  'GET /view': view,
  'POST /upload/image': upload,
  'POST /upload/mask': upload,
  'POST /prompt': prompt,
  'POST /queue': unqueue,
  'POST /interrupt': interrupt,
}

interface Node {
  class_type: string
  inputs: Record<string, unknown>
}
type Graph = Record<string, Node>

/** Data of a fake in addition to its jobs, as long as it runs. */
const inputsOf = new WeakMap<FakeContext, Map<string, SentImage>>()
const outputsOf = new WeakMap<FakeContext, Map<string, Buffer>>()
const graphs = new WeakMap<Job, { graph: Graph; number: number }>()

function valuesOf<Value>(of: WeakMap<FakeContext, Map<string, Value>>, context: FakeContext): Map<string, Value> {
  const found = of.get(context) ?? new Map<string, Value>()
  of.set(context, found)
  return found
}

function refuse(message: string, type = 'prompt_no_outputs', node_errors: object = {}): Refusal {
  const error = { type, message, details: '', extra_info: {} }
  return new Refusal({ status: 400, json: { error, node_errors } })
}

async function upload(request: FakeRequest, context: FakeContext): Promise<FakeResponse> {
  const part = request.parts.find(({ name, bytes }) => name === 'image' && bytes)
  const fields = Object.fromEntries(request.parts.map(({ name, value }) => [name, value]))
  if (part?.bytes === undefined || !part.filename) return { status: 400, body: '', type: 'text/plain' }
  const image = await imageOf(
    request,
    'image',
    part.bytes,
    () => new Refusal({ status: 400, body: '', type: 'text/plain' }),
  )
  const inputs = valuesOf(inputsOf, context)
  const { subfolder = '', type = 'input', overwrite } = fields
  const path = (name: string) => [subfolder, name].filter(Boolean).join('/')
  let name = part.filename
  // Without leave to overwrite, another name is found.
  for (let at = 1; overwrite !== 'true' && overwrite !== '1' && inputs.has(path(name)); at++)
    name = part.filename.replace(/(\.\w+)?$/, ` (${at})$1`)
  inputs.set(path(name), image)
  return { status: 200, json: { name, subfolder, type } }
}

function prompt(request: FakeRequest, context: FakeContext): FakeResponse {
  const { prompt, prompt_id = randomUUID() } = fieldsOf(request.json, () => refuse('No prompt provided', 'no_prompt'))
  if (typeof prompt !== 'object' || prompt === null) throw refuse('No prompt provided', 'no_prompt')
  if (typeof prompt_id !== 'string') throw refuse('prompt_id must be a string', 'invalid_prompt_id')
  const graph = prompt as Graph
  check(graph, valuesOf(inputsOf, context))
  const number = context.next()
  context.bill({ id: prompt_id, model: 'graph', order: request.order })
  const job = context.jobs.add<Outcome>({
    id: prompt_id,
    model: 'graph',
    isStuck: request.fault === 'stuck',
    run: () => execute(graph, request, context),
  })
  graphs.set(job, { graph, number })
  return { status: 200, json: { prompt_id, number, node_errors: {} } }
}

function check(graph: Graph, inputs: Map<string, SentImage>): void {
  const outputs = Object.values(graph).filter(isOutput)
  if (outputs.length === 0) throw refuse('Prompt has no outputs')
  for (const [id, { class_type, inputs: fields }] of Object.entries(graph)) {
    if (typeof class_type !== 'string')
      throw refuse(`Cannot execute because node ${id} has no class_type`, 'invalid_prompt')
    for (const [name, value] of Object.entries(fields ?? {}))
      if (Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'number' && !(value[0] in graph))
        throw failedNode(id, class_type, 'bad_linked_input', name)
    if (/^LoadImage/.test(class_type) && !inputs.has(String(fields.image).replace(/ \[input\]$/, '')))
      throw failedNode(id, class_type, 'custom_validation_failed', `image - Invalid image file: ${fields.image}`)
  }
}

function failedNode(id: string, class_type: string, type: string, details: string): Refusal {
  const errors = [{ type, message: 'Custom validation failed for node', details, extra_info: {} }]
  return refuse('Prompt outputs failed validation', 'prompt_outputs_failed_validation', {
    [id]: { errors, dependent_outputs: [], class_type },
  })
}

function isOutput({ class_type }: Node): boolean {
  return /^(Save|Preview|ShowText)/.test(class_type)
}

interface Outcome {
  outputs: object
  error?: string
}

/** Reads out of the classes of the nodes what the graph is for. */
async function execute(graph: Graph, request: FakeRequest, context: FakeContext): Promise<Outcome> {
  if (request.fault === 'failed') return { outputs: {}, error: 'Allocation on device: out of memory' }
  const nodes = Object.values(graph)
  const classes = nodes.map(({ class_type }) => class_type).join(' ')
  const texts = nodes
    .filter(({ class_type }) => /TextEncode|Prompt|Text/.test(class_type))
    .map(({ inputs }) => inputs.text ?? inputs.prompt)
  const words = texts.filter((text): text is string => typeof text === 'string').join(' ')
  const loaded = nodes.flatMap(({ class_type, inputs }) => {
    const image = /^LoadImage/.test(class_type) ? valuesOf(inputsOf, context).get(String(inputs.image)) : undefined
    return image ? [{ image, isMask: /Mask/.test(class_type) }] : []
  })
  const images = loaded.filter(({ isMask }) => !isMask).map(({ image }) => image)
  const mask = loaded.find(({ isMask }) => isMask)?.image
  const latent = nodes.find(({ class_type }) => /^Empty.*Latent/.test(class_type))?.inputs
  const seed = nodes.map(({ inputs }) => inputs.seed ?? inputs.noise_seed).find((value) => typeof value === 'number')
  const factor = nodes
    .map(({ inputs }) => inputs.scale_by ?? inputs.scale ?? inputs.upscale_by)
    .find((value) => typeof value === 'number')
  const label = { provider: 'comfyui', model: 'graph', prompt: words, seed: seed as number | undefined }
  const outputs: Record<string, object> = {}
  for (const [id, node] of Object.entries(graph).filter(([, candidate]) => isOutput(candidate))) {
    if (request.fault === 'empty') continue
    if (/Text|PreviewAny/.test(node.class_type)) {
      outputs[id] = { text: [await writtenText({ ...label, images: images.map(({ bytes }) => bytes) })] }
      continue
    }
    const act: Act = /Rembg|RemoveBackground|BiRefNet|BriaRMBG|RMBG/i.test(classes)
      ? 'cut'
      : /Upscale|ImageScaleBy/.test(classes) && images.length > 0
        ? 'enlarge'
        : mask && images.length > 0
          ? 'inpaint'
          : images.length > 0
            ? 'edit'
            : 'generate'
    const size = latent && { width: Number(latent.width), height: Number(latent.height) }
    const scale = (factor as number | undefined) ?? 4
    const white = mask && (await whiteMask(mask.bytes, 'white'))
    const bytes = await renderImage({
      act,
      label,
      images,
      mask: white,
      size: act === 'generate' ? size : undefined,
      scale,
    })
    const filename = `${String(node.inputs.filename_prefix ?? 'ComfyUI').replaceAll('/', '_')}_${context.next()}_.png`
    valuesOf(outputsOf, context).set(filename, bytes)
    outputs[id] = { images: [{ filename, subfolder: '', type: /^Preview/.test(node.class_type) ? 'temp' : 'output' }] }
  }
  return { outputs }
}

async function history(request: FakeRequest, { jobs }: FakeContext): Promise<FakeResponse> {
  const id = decodeURIComponent(request.path.split('/').at(-1) ?? '')
  // Like after a restart: without queue and history.
  if (request.fault === 'expired') jobs.remove(id)
  const job = jobs.get(id)
  const graph = job && graphs.get(job)
  if (job === undefined || graph === undefined || job.look() !== 'done') {
    const interrupted = job?.state() === 'canceled' && job.wasRunning
    if (!interrupted) return { status: 200, json: {} }
    const status = { status_str: 'error', completed: false, messages: [['execution_interrupted', { prompt_id: id }]] }
    return { status: 200, json: { [id]: { prompt: [], outputs: {}, status } } }
  }
  const { outputs, error } = (await job.result) as Outcome
  const messages = error
    ? [
        ['execution_start', { prompt_id: id }],
        [
          'execution_error',
          {
            prompt_id: id,
            node_id: '1',
            node_type: 'KSampler',
            exception_message: error,
            exception_type: 'RuntimeError',
          },
        ],
      ]
    : [
        ['execution_start', { prompt_id: id }],
        ['execution_success', { prompt_id: id }],
      ]
  const status = { status_str: error ? 'error' : 'success', completed: error === undefined, messages }
  const entry = { prompt: [graph.number, id, graph.graph, {}, Object.keys(outputs)], outputs, status, meta: {} }
  return { status: 200, json: { [id]: entry } }
}

function queue({ jobs }: FakeContext) {
  const entries = (state: string) =>
    jobs
      .list()
      .filter((job) => job.state() === state)
      .map((job) => [graphs.get(job)?.number, job.id, graphs.get(job)?.graph, {}, []])
  return { queue_running: entries('running'), queue_pending: entries('queued') }
}

function view(request: FakeRequest, context: FakeContext): FakeResponse {
  const bytes =
    request.fault === 'expired' ? undefined : valuesOf(outputsOf, context).get(request.query.get('filename') ?? '')
  return bytes ? { status: 200, body: bytes, type: 'image/png' } : { status: 404, body: '', type: 'text/plain' }
}

/** Takes jobs that wait out of the queue, and leaves those that run. */
function unqueue(request: FakeRequest, { jobs, unbill }: FakeContext): FakeResponse {
  const { delete: ids = [], clear = false } = fieldsOf(request.json, refuse)
  for (const job of jobs.list()) {
    const isRequested = clear === true || [ids].flat().includes(job.id)
    if (isRequested && job.state() === 'queued' && job.cancel()) unbill(job.id)
  }
  return { status: 200, body: '' }
}

function interrupt(request: FakeRequest, { jobs }: FakeContext): FakeResponse {
  const { prompt_id } = (request.json ?? {}) as { prompt_id?: string }
  for (const job of jobs.list())
    if (job.state() === 'running' && (prompt_id === undefined || prompt_id === job.id)) job.cancel()
  return { status: 200, body: '' }
}
