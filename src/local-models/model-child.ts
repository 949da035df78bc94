/**
 * A separate program: runs local models, one job at a time, and is killed when a job is aborted. It is not a thread,
 * because the native runtime ends the entire process if its thread ends during a run, or if memory runs out. It ends
 * by itself when its parent process is gone.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { limits } from '../limits.ts'
import type { Graph } from './define-model.ts'
import type { ModelJob, ModelReply } from './messages.ts'
import { localModels } from './registry.ts'
import { fromTensor, toTensorData } from './tensors.ts'

type Runtime = typeof import('onnxruntime-node')

/** Maximum number of cached sessions: each has its weights in memory, and some also the memory of a run. */
const sessionsMax = 3
const sessions = new Map<string, Promise<InferenceSession>>()
let runtime: Runtime | undefined

// A model computes for seconds on all of its threads: executions without one must not wait for it. Threads inherit it.
setPriority(limits.modelNice)

try {
  // If memory runs out, the system kills this process first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux.
}

process.on('message', async (job: ModelJob) => {
  try {
    respond(await run(job))
  } catch (error) {
    respond({ id: job.id, problem: error instanceof Error ? error.message : String(error) })
  }
})

function respond(reply: ModelReply): void {
  process.send?.(reply)
}

async function run({ id, model, graph: name, folder, runtimeFolder, image, threads }: ModelJob): Promise<ModelReply> {
  const graph = localModels.get(model)?.graphs[name]
  if (graph === undefined) throw new Error(`there is no graph ${name} of ${model}`)
  // Imported by its folder, which depends on the installation, and only for the first run.
  runtime ??= createRequire(import.meta.url)(runtimeFolder) as Runtime
  const session = await sessionOf(runtime, `${folder} ${name}`, graph, folder, threads)
  const { width, height } = image
  const dims = graph.input.layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3]
  const input = new runtime.Tensor('float32', toTensorData(image, graph.input), dims)
  const results = await session.run({ [graph.input.name]: input }, Object.keys(graph.outputs))
  const outputs = Object.entries(graph.outputs).map(([output, kind]) => {
    const tensor = results[output] as Tensor
    return [output, fromTensor(tensor.data as Float32Array, tensor.dims, kind)] as const
  })
  return { id, outputs: Object.fromEntries(outputs) }
}

async function sessionOf(ort: Runtime, key: string, graph: Graph, folder: string, threads: number) {
  const cached = sessions.get(key)
  sessions.delete(key)
  const session = cached ?? open(ort, graph, folder, threads)
  // Moves it to the end, so that the least recently used session is evicted.
  sessions.set(key, session)
  for (const [old, each] of [...sessions].slice(0, -sessionsMax)) {
    sessions.delete(old)
    await (await each).release()
  }
  session.catch(() => sessions.delete(key))
  return session
}

async function open(ort: Runtime, graph: Graph, folder: string, threads: number): Promise<InferenceSession> {
  return ort.InferenceSession.create(await graph.load(folder), {
    intraOpNumThreads: threads,
    // With the arena, the memory of the largest run is never freed: 2.4 GB after one run of ISNet.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
}
