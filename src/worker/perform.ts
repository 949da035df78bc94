/** One execution from claim to its one outcome. */
import { blobKeyOf } from '../domain/blob-key.ts'
import type { Clock } from '../domain/clock.ts'
import type { Execution, ExecutionStore, Step } from '../domain/execution.ts'
import { newId } from '../domain/ids.ts'
import { type BlobStore, type Image, imageFormats } from '../domain/image.ts'
import type { WorkflowStore } from '../domain/workflow.ts'
import type { PixelBudget } from '../engine/pixel-budget.ts'
import { planExecution } from '../engine/plan.ts'
import { type Encode, type RunResult, runPlan } from '../engine/run.ts'
import { Fault, failure } from '../errors.ts'
import type { CheckedWorkflows } from '../services/checked-workflows.ts'
import { executionError } from '../services/executions.ts'
import type { Fonts } from '../services/fonts.ts'
import { cleanFileName } from '../services/images.ts'
import type { Sources } from '../services/sources.ts'

export interface PerformDependencies {
  executions: ExecutionStore
  workflows: WorkflowStore
  blobs: BlobStore
  checkedWorkflows: CheckedWorkflows
  sources: Sources
  fonts: Pick<Fonts, 'usable'>
  encode: Encode
  clock: Clock
  timeoutSeconds: number
  pixelsMax: number
  pixels: PixelBudget
  /** Told of every failure with its cause, which callers never see. */
  onFailure(execution: Execution, fault: Fault): void
}

/** Runs a claimed execution and records how it ended. An aborted signal whose reason is no `Fault` records nothing. */
export type Perform = (execution: Execution, signal: AbortSignal) => Promise<void>

export function createPerform(dependencies: PerformDependencies): Perform {
  const { executions, clock, onFailure } = dependencies
  return async (execution, signal) => {
    const recorder = createRecorder(execution, executions)
    let steps: Step[] = []
    try {
      const result = await runExecution(execution, signal, recorder.note, dependencies)
      steps = result.steps
      if (result.fault) throw result.fault
      await recorder.stop()
      await storeOutput(execution, result, dependencies)
    } catch (error) {
      await recorder.stop()
      if (signal.aborted && !(signal.reason instanceof Fault)) throw signal.reason
      const fault =
        error instanceof Fault && error.code === 'workflow_failed'
          ? error
          : failure('internal', 'The execution failed unexpectedly.', { cause: error })
      onFailure(execution, fault)
      const ended = { error: executionError(execution.id, fault), steps, completedAt: clock.now() }
      await executions.fail(execution.id, execution.attempt, ended)
    }
  }
}

async function runExecution(
  execution: Execution,
  signal: AbortSignal,
  onProgress: (steps: readonly Step[]) => void,
  { checkedWorkflows, sources, fonts, encode, clock, timeoutSeconds, pixelsMax, pixels }: PerformDependencies,
): Promise<RunResult> {
  const checked = await checkedWorkflows.get(execution.workflowId, execution.workflowVersion)
  const { plan, issues } = planExecution(checked, execution.parameters)
  if (issues) throw failure('input_invalid', 'The parameters are not valid in this release.', { issues })
  return runPlan(plan, {
    signal,
    timeoutSeconds,
    pixelsMax,
    pixels,
    open: (source) => sources.open(execution.accountId, source, signal),
    fonts: () => fonts.usable(execution.accountId),
    encode,
    clock,
    onProgress,
  })
}

/** Bytes first, then image, steps and status in one transaction. An attempt that lost its right takes its bytes away again. */
async function storeOutput(
  execution: Execution,
  { output, steps }: Extract<RunResult, { output: object }>,
  { executions, workflows, blobs, clock }: PerformDependencies,
): Promise<void> {
  const workflow = await workflows.findOwner(execution.workflowId)
  const staged = await blobs.stage(once(output.bytes), { bytesMax: Number.MAX_SAFE_INTEGER })
  const now = clock.now()
  const image: Image = {
    id: newId('img', now),
    accountId: execution.accountId,
    projectId: workflow?.projectId ?? null,
    name: outputName(output.name ?? workflow?.name, output.format),
    format: output.format,
    size: staged.bytes,
    width: output.width,
    height: output.height,
    sha256: staged.sha256,
    executionId: execution.id,
    createdAt: now,
  }
  await staged.commit(blobKeyOf(image))
  const { width, height, format } = output
  const result = { image, output: { imageId: image.id, width, height, format }, steps, completedAt: clock.now() }
  if (!(await executions.complete(execution.id, execution.attempt, result))) await blobs.remove(blobKeyOf(image))
}

/** `Launch card` to `Launch card.webp`; a name that ends so already stays. */
function outputName(name: string | undefined, format: Image['format']): string {
  const extension = `.${imageFormats[format].extension}`
  const base = cleanFileName(name?.replaceAll(/[\\/]/g, '-')) || 'image'
  return base.toLowerCase().endsWith(extension) ? base : `${base}${extension}`
}

/** Steps are written at most every quarter of a second while they change, so that short executions write them once. */
const recordEveryMs = 250

function createRecorder({ id, attempt }: Execution, executions: ExecutionStore) {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  return {
    note(steps: readonly Step[]): void {
      timer ??= setTimeout(() => {
        timer = undefined
        // What cannot be written now is written with the outcome.
        writing = executions.saveSteps(id, attempt, [...steps]).catch(() => undefined)
      }, recordEveryMs)
    },
    async stop(): Promise<void> {
      clearTimeout(timer)
      await writing
    },
  }
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}
