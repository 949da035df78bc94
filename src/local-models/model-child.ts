/**
 * A program of its own: runs local models, one job after the other, and is killed when a job is given up. Not a thread,
 * because the native runtime ends the whole process when its thread is ended in the middle of a run, or when memory runs out.
 * It ends by itself when the process that started it is gone.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { Graph } from './define-model.ts'
import type { ModelAnswer, ModelJob } from './messages.ts'
import { localModels } from './registry.ts'
import { fromTensor, toTensorData } from './tensors.ts'

type Runtime = typeof import('onnxruntime-node')

/** Sessions that are kept, the last used ones: each holds its weights, and some of them what a run took. */
const sessionsMax = 3
const sessions = new Map<string, Promise<InferenceSession>>()
let runtime: Runtime | undefined

try {
  // Where memory runs out, this process goes first, not the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not a Linux.
}

process.on('message', async (job: ModelJob) => {
  try {
    tell(await run(job))
  } catch (error) {
    tell({ id: job.id, problem: error instanceof Error ? error.message : String(error) })
  }
})

function tell(answer: ModelAnswer): void {
  process.send?.(answer)
}

async function run({ id, model, graph: name, folder, runtimeFolder, image, threads }: ModelJob): Promise<ModelAnswer> {
  const graph = localModels.get(model)?.graphs[name]
  if (graph === undefined) throw new Error(`there is no graph ${name} of ${model}`)
  // By its folder, which differs from place to place, and only once something is to be run.
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
  const kept = sessions.get(key)
  sessions.delete(key)
  const session = kept ?? open(ort, graph, folder, threads)
  // Last in the order, so the one that goes is the one that nobody asked for longest.
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
    // With the arena, the memory of the largest run is held for ever: 2.4 GB after one of ISNet.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  })
}
