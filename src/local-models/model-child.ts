/**
 * A program of a process pool: runs local models. It is not a thread, because the native runtime ends the entire process if its thread
 * ends during a run, or if memory runs out.
 */
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import type { InferenceSession, Tensor } from 'onnxruntime-common'
import { limits } from '../limits.ts'
import { serveJobs } from '../processes/pool-program.ts'
import type { Graph, ModelOutputs } from './define-model.ts'
import { loadVerified } from './manifest/load-verified.ts'
import { runWithManifest } from './manifest/run-with-manifest.ts'
import { FileChanged, type ModelJob, ModelProblem, type ModelReply } from './messages.ts'
import { packagedModels } from './registry.ts'
import { fromTensor, toTensorData } from './tensors.ts'

type Runtime = typeof import('onnxruntime-common')

/** Maximum number of cached sessions: each has its weights in memory, and some also the memory of a run. */
const sessionsMax = 3
/** Maximum memory of models: several large ones would leave no memory for a run. The current one can have more. */
const sessionBytesMax = 300_000_000

interface Session {
  opened: Promise<InferenceSession>
  /** Size of its model. */
  bytes: number
}

const sessions = new Map<string, Session>()
let runtime: Runtime | undefined

// A model computes for seconds on all of its threads: executions without one must not wait for it. Threads inherit it.
setPriority(limits.modelNice)

serveJobs<ModelJob, ModelReply>(async (job) => {
  try {
    return { outputs: await run(job) }
  } catch (error) {
    return {
      problem: error instanceof Error ? error.message : String(error),
      isModelProblem: error instanceof ModelProblem,
      isChanged: error instanceof FileChanged,
    }
  }
})

async function run(job: ModelJob): Promise<ModelOutputs> {
  // Imported by its folder, which depends on the installation, and only for the first run.
  runtime ??= createRequire(import.meta.url)(job.runtimeFolder) as Runtime
  const ort = runtime
  const { run: described, folder, threads, image } = job
  if ('manifest' in described) {
    const { manifest, sha256 } = described
    const session = await sessionOf(ort, sha256, threads, () => loadVerified(folder, sha256))
    return { result: await runWithManifest(ort, session, manifest, image) }
  }
  const graph = packagedModels.get(job.model)?.graphs[described.graph]
  if (graph === undefined) throw new Error(`there is no graph ${described.graph} of ${job.model}`)
  const key = `${folder} ${described.graph}`
  const session = await sessionOf(ort, key, threads, () => graph.load(folder))
  return runGraph(ort, session, graph, job)
}

async function runGraph(
  ort: Runtime,
  session: InferenceSession,
  graph: Graph,
  { image }: ModelJob,
): Promise<ModelOutputs> {
  const { width, height } = image
  const dims = graph.input.layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3]
  const input = new ort.Tensor('float32', toTensorData(image, graph.input), dims)
  const results = await session.run({ [graph.input.name]: input }, Object.keys(graph.outputs))
  const outputs = Object.entries(graph.outputs).map(([output, kind]) => {
    const tensor = results[output] as Tensor
    return [output, fromTensor(tensor.data as Float32Array, tensor.dims, kind)] as const
  })
  return Object.fromEntries(outputs)
}

async function sessionOf(
  ort: Runtime,
  key: string,
  threads: number,
  load: () => Promise<Uint8Array>,
): Promise<InferenceSession> {
  const cached = sessions.get(key)
  // At the end, so that the least recently used session is evicted.
  sessions.delete(key)
  if (cached) {
    sessions.set(key, cached)
    return cached.opened
  }
  const model = await load()
  await evict(model.length)
  const opened = openSession(ort, model, threads)
  sessions.set(key, { opened, bytes: model.length })
  opened.catch(() => sessions.delete(key))
  return opened
}

/** Makes room for one more session. */
async function evict(bytesMore: number): Promise<void> {
  for (const [key, { opened }] of [...sessions]) {
    const bytes = [...sessions.values()].reduce((sum, session) => sum + session.bytes, bytesMore)
    if (sessions.size < sessionsMax && bytes <= sessionBytesMax) return
    sessions.delete(key)
    await (await opened).release()
  }
}

async function openSession(ort: Runtime, model: Uint8Array, threads: number): Promise<InferenceSession> {
  return ort.InferenceSession.create(model, {
    intraOpNumThreads: threads,
    // With the arena, the memory of the largest run is never freed: 2.4 GB after one run of ISNet.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
}
