/**
 * Runs local models. Models with a manifest have a process of their own: a large one takes up to a minute, and the operations
 * with included models must not wait for it.
 */
import { availableParallelism } from 'node:os'
import { type Fault, failure } from '../errors.ts'
import type { JobContext } from '../imaging/raster/jobs.ts'
import { limits } from '../limits.ts'
import type { LocalModel, ModelImage, ModelOutput, ModelOutputs, PackagedModel } from './define-model.ts'
import type { ManifestModel } from './manifest/manifest-model.ts'
import type { ModelJob, ModelReply } from './messages.ts'
import { createModelProcess, modelFailed, retryLater } from './model-process.ts'
import { requireInstalled } from './store.ts'

let memoryBytesMax = Number.POSITIVE_INFINITY

const processLimits = { memoryBytesMax: () => memoryBytesMax, secondsMax: limits.modelSeconds }

const processes = {
  packaged: createModelProcess(processLimits),
  manifest: createModelProcess(processLimits),
}

const threads = Math.min(limits.modelThreadsMax, availableParallelism())

/** Sets the maximum memory of each process. */
export function setModelMemory(bytesMax: number): void {
  memoryBytesMax = bytesMax
}

/** Runs a graph on an image. Rejects immediately when the signal aborts, and kills the process. */
export function runModel(
  model: PackagedModel,
  graph: string,
  image: ModelImage,
  context: JobContext,
): Promise<ModelOutputs> {
  return inProcess('packaged', model, { graph }, image, context)
}

/** The mask, the enlarged image or the boxes, as `run-with-manifest.ts` returns them. */
export async function runManifestModel(
  model: ManifestModel,
  image: ModelImage,
  context: JobContext,
): Promise<ModelOutput> {
  const run = { manifest: model.manifest, sha256: model.file?.sha256 ?? '' }
  const { result } = await inProcess('manifest', model, run, image, context)
  if (result === undefined) throw new Error(`${model.name} returned nothing`)
  return result
}

async function inProcess(
  kind: keyof typeof processes,
  model: LocalModel,
  run: ModelJob['run'],
  image: ModelImage,
  context: JobContext,
): Promise<ModelOutputs> {
  const job = { model: model.name, run, image, threads, ...requireInstalled(model) }
  const reply = await processes[kind].run(job, context)
  if ('outputs' in reply) return reply.outputs
  throw faultOf(model.name, reply)
}

function faultOf(model: string, reply: Extract<ModelReply, { problem: string }>): Fault {
  const { problem, isModelProblem, isChanged } = reply
  if (isChanged) {
    return failure(
      'provider_not_configured',
      `Local model "${model}" can't be used: ${problem}. The operator can add the model again.`,
      { cause: problem },
    )
  }
  return isModelProblem
    ? modelFailed(model, `: ${problem}.`, 'The operator can correct its manifest and add it again.', problem)
    : modelFailed(model, '.', retryLater, problem)
}
