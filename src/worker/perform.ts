/** One execution from claim to its one outcome. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AttemptActivity } from '../domain/attempt-activity.ts'
import { blobKeyOf } from '../domain/blob-key.ts'
import { type Clock, elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { Execution, ExecutionNotices, ExecutionStore, Step, YieldSlot } from '../domain/execution.ts'
import { newId } from '../domain/ids.ts'
import { type BlobStore, type Image, imageFormats } from '../domain/image.ts'
import type { ModelClient } from '../domain/model.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import type { Checkpoint } from '../engine/cache/ports.ts'
import { planExecution } from '../engine/plan/plan.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import { type Encode, type RunResult, runPlan } from '../engine/run/run.ts'
import { Fault, failure, notValidNow } from '../errors.ts'
import type { CheckedWorkflows } from '../services/checked-workflows.ts'
import { executionError } from '../services/executions.ts'
import { cleanFileName } from '../services/images.ts'
import type { CheckpointStore } from '../services/results/checkpoints.ts'
import type { Previews } from '../services/results/previews.ts'
import type { StepCaches } from '../services/results/step-cache.ts'
import type { StepReuseFor } from '../services/results/step-reuse.ts'
import type { Sources } from '../services/sources.ts'
import { available, isUnavailable, LeaseLost, Unavailable } from './interruptions.ts'
import { modelCallOptions } from './model-calls.ts'
import { createRecorder, type Recorder } from './recorder.ts'

export interface PerformDependencies {
  executions: ExecutionStore
  notices: Pick<ExecutionNotices, 'send'>
  workflows: WorkflowStore
  blobs: BlobStore
  checkedWorkflows: CheckedWorkflows
  sources: Sources
  reuse: StepReuseFor
  /** Undefined where it is switched off. */
  caches: Pick<StepCaches, 'offerOutput'> | undefined
  /** Undefined where nothing is shown of steps. */
  previews?: Pick<Previews, 'of'> | undefined
  /** What failed executions leave for those that resume them. */
  checkpointStore: CheckpointStore
  /** Undefined where no model is to be asked. */
  modelClient?: ModelClient | undefined
  encode: Encode
  clock: Clock
  timeoutSeconds: number
  pixelsMax: number
  pixels: PixelBudget
  /** Told of every failure with its cause, which callers never see. */
  onFailure(execution: Execution, fault: Fault): void
}

/**
 * Runs a claimed execution and records how it ended. Aborts the run itself when it learns that it has lost its right.
 * Rejects, with nothing recorded, with the reason of a run that was aborted, and with `Unavailable`.
 */
export type Perform = (
  execution: Execution,
  run: AbortController,
  meanwhile: YieldSlot,
  activity: AttemptActivity,
) => Promise<void>

export function createPerform(dependencies: PerformDependencies): Perform {
  const { executions, clock, onFailure } = dependencies
  return async (execution, run, meanwhile, activity) => {
    const recorder = createRecorder(execution, dependencies, () => run.abort(new LeaseLost()))
    let steps: Step[] = []
    let fault: Fault
    try {
      const { signal } = run
      const result = await runExecution(execution, { signal, meanwhile, activity }, recorder.note, dependencies)
      steps = result.steps
      if (result.fault) {
        await keepFinished(execution, result.finished, run.signal, dependencies)
        throw result.fault
      }
      await recorder.stop()
      return await storeOutput(execution, result, recorder, run.signal, dependencies)
    } catch (error) {
      await recorder.stop()
      run.signal.throwIfAborted()
      if (isUnavailable(error)) throw error
      fault =
        error instanceof Fault && error.code === 'workflow_failed'
          ? error
          : failure('internal', 'The execution failed unexpectedly.', { cause: error })
    }
    const changed = recorder.changed(steps)
    const ended = { error: executionError(execution.id, fault), steps, changed, completedAt: clock.now() }
    if (await persist(() => executions.fail(execution.id, execution.attempt, ended), run.signal)) {
      onFailure(execution, fault)
    }
  }
}

/** `name`: what the document was called when the execution began; nothing where the workflow says so. */
type Ran = RunResult & { name: string | undefined }

async function runExecution(
  execution: Execution,
  { signal, meanwhile, activity }: { signal: AbortSignal; meanwhile: YieldSlot; activity: AttemptActivity },
  onProgress: (steps: readonly Step[]) => void,
  dependencies: PerformDependencies,
): Promise<Ran> {
  const { checkedWorkflows, sources, encode, clock, timeoutSeconds, pixelsMax, pixels } = dependencies
  const checked = await available(checkedWorkflows.of(execution))
  checkedWorkflows.keep(execution, checked)
  const { plan, issues } = planExecution(checked, execution.parameters)
  if (issues) throw notValidNow('The parameters are not valid any more', issues)
  const [{ usableFonts, ...reuse }, checkpoints, asking] = await available(
    Promise.all([
      dependencies.reuse(execution.accountId),
      dependencies.checkpointStore.of(execution),
      modelCallOptions(execution, plan, meanwhile, dependencies),
    ]),
  )
  const result = await runPlan(plan, {
    signal,
    account: execution.accountId,
    reuse: {
      ...reuse,
      checkpoints,
      keyContext: { ...reuse.keyContext, identify: (source) => available(reuse.keyContext.identify(source)) },
    },
    timeoutSeconds,
    pixelsMax,
    pixels,
    open: (source, reserve) => available(sources.open(execution.accountId, source, signal, reserve)),
    fonts: () => available(usableFonts()),
    ...asking,
    activity,
    encode,
    previews: execution.previews && dependencies.previews?.of(execution.accountId),
    clock,
    onProgress,
  })
  return { ...result, name: execution.isDraft ? checked.document.name : undefined }
}

/** Bytes first, then image, steps and status in one transaction. An attempt that lost its right takes its bytes away again. */
async function storeOutput(
  execution: Execution,
  { output, steps, name }: Extract<Ran, { output: object }>,
  recorder: Pick<Recorder, 'changed'>,
  signal: AbortSignal,
  { executions, workflows, blobs, clock, caches }: PerformDependencies,
): Promise<void> {
  const { width, height, format, bytes, stored } = output
  const now = clock.now()
  const id = stored?.id ?? newId('img', now)
  const key = blobKeyOf({ id, format })
  const workflow = await persist(() => workflows.findOwner(execution.workflowId), signal)
  const { size, sha256 } = stored ?? (await persist(() => storeBytes(bytes, key, blobs), signal))
  const image: Image = {
    id,
    accountId: execution.accountId,
    projectId: workflow?.projectId ?? null,
    name: outputName(output.name ?? name ?? workflow?.name, format),
    format,
    size,
    width,
    height,
    sha256,
    executionId: execution.id,
    createdAt: now,
  }
  const result = {
    image,
    output: { imageId: id, width, height, format },
    steps,
    changed: recorder.changed(steps),
    completedAt: clock.now(),
  }
  const isOurs = await persist(() => executions.complete(execution.id, execution.attempt, result), signal)
  // What cannot be removed now has no row, and is swept up.
  if (!isOurs) await blobs.remove(key).catch(() => undefined)
  else if (output.made) caches?.offerOutput(output.made.key, image, output.made.durationMs)
}

async function storeBytes(bytes: Buffer, key: string, blobs: BlobStore): Promise<{ size: number; sha256: string }> {
  const staged = await blobs.stage(once(bytes), { bytesMax: Number.MAX_SAFE_INTEGER })
  await staged.commit(key)
  return { size: staged.bytes, sha256: staged.sha256 }
}

/**
 * Before the failure is told, so that whoever resumes it at once finds all of it. One that was cancelled has ended already;
 * one that another worker has goes on, and keeps nothing.
 */
async function keepFinished(
  execution: Execution,
  finished: readonly Checkpoint[],
  signal: AbortSignal,
  { executions, checkpointStore }: PerformDependencies,
): Promise<void> {
  if (signal.aborted) {
    const now = await executions.find(execution.accountId, execution.id).catch(() => undefined)
    if (now?.status !== 'failed') return
  }
  await checkpointStore.keep(execution, finished)
}

/** `Launch card` to `Launch card.webp`; a name that ends so already stays. */
function outputName(name: string | undefined, format: Image['format']): string {
  const extension = `.${imageFormats[format].extension}`
  const base = cleanFileName(name?.replaceAll(/[\\/]/g, '-')) || 'image'
  return base.toLowerCase().endsWith(extension) ? base : `${base}${extension}`
}

const persistEveryMs = 1_000
/** As long as a database takes to start again, or another to take its place. */
const persistSeconds = 30

/** An outcome is worth keeping: it is stored again and again, as long as this attempt may. */
async function persist<Value>(store: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  const startMs = monotonicMs()
  for (;;) {
    try {
      return await store()
    } catch (error) {
      signal.throwIfAborted()
      if (elapsedSince(startMs) > persistSeconds * 1000) throw new Unavailable(error)
      await pause(persistEveryMs, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
