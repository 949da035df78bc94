/** The loop over a plan's steps: branches in parallel, one deadline, one signal, results freed with their last reader. */
import { type Clock, elapsedSince, monotonicMs } from '../domain/clock.ts'
import type { Step } from '../domain/execution.ts'
import type { ImageFormat } from '../domain/image.ts'
import type { EncodeSettings } from '../domain/output.ts'
import { asFault, type Fault, failure } from '../errors.ts'
import type { OperationContext, Picture } from '../operations/define.ts'
import type { PixelBudget, PixelShare } from './pixel-budget.ts'
import { type Plan, resolveOutput } from './plan.ts'
import type { PlannedStep } from './planned-step.ts'
import { picturesOf, type StepResult } from './results.ts'
import { runStep } from './step.ts'
import { newTemplateTime, type TemplateTime } from './template.ts'

export interface EncodedImage {
  bytes: Buffer
  format: ImageFormat
  width: number
  height: number
}

/** Pixels to bytes: the one encode, at the end. */
export type Encode = (picture: Picture, settings: EncodeSettings, context: OperationContext) => Promise<EncodedImage>

export interface RunOptions {
  /** Cancellation and shutdown. Its reason is the fault that the run ends with. */
  signal: AbortSignal
  timeoutSeconds: number
  pixelsMax: number
  /** What all executions hold together. */
  pixels: PixelBudget
  open: OperationContext['open']
  fonts?: OperationContext['fonts']
  encode: Encode
  clock: Clock
  /** Called whenever a step changes; the array is the run's own, in the order of the plan. */
  onProgress(steps: readonly Step[]): void
}

export type RunResult = { steps: Step[] } & (
  | { output: EncodedImage & { name: string | undefined }; fault?: undefined }
  | { output?: undefined; fault: Fault }
)

export async function runPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const steps = plan.steps.map(({ node }) => newStep(node.id, node.operation.id))
  const stop = new AbortController()
  const onAbort = () => stop.abort(options.signal.reason)
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()
  const startMs = monotonicMs()
  const timer = setTimeout(
    () => stop.abort(failure('timeout', `The execution did not finish within ${options.timeoutSeconds} seconds.`)),
    options.timeoutSeconds * 1000,
  )
  const context: OperationContext = {
    signal: stop.signal,
    secondsLeft: () => Math.max(0.001, options.timeoutSeconds - elapsedSince(startMs) / 1000),
    pixelsMax: options.pixelsMax,
    open: options.open,
    fonts: options.fonts,
  }
  const share = options.pixels.open()
  const time = newTemplateTime()
  try {
    const { image, values } = await runSteps(plan, steps, context, share, time, stop, options)
    const settings = outputSettings(plan, values, time)
    const encoded = await orAbort(options.encode(image, settings.encode, context), stop.signal)
    return { steps, output: { ...encoded, name: settings.name } }
  } catch (error) {
    const fault = stop.signal.aborted ? asWorkflowFault(stop.signal.reason) : asWorkflowFault(error)
    for (const step of steps) if (step.status === 'pending' || step.status === 'running') step.status = 'cancelled'
    return { steps, fault }
  } finally {
    clearTimeout(timer)
    share.close()
    options.signal.removeEventListener('abort', onAbort)
  }
}

/** Starts every step as soon as all that it needs is there; the first failure stops the rest. */
async function runSteps(
  plan: Plan,
  steps: Step[],
  context: OperationContext,
  share: PixelShare,
  time: TemplateTime,
  stop: AbortController,
  { clock, onProgress }: RunOptions,
): Promise<{ image: Picture; values: Map<string, StepResult> }> {
  const outputValues = plan.workflow.output.settings.references.flatMap((each) =>
    each.kind === 'value' ? [each.node] : [],
  )
  const kept = new Set([plan.workflow.output.node, ...outputValues])
  const needed = plan.steps.filter(({ action }) => action !== 'unneeded')
  const readers = countReaders(needed)
  const running = new Map<string, Promise<StepResult>>()

  const perform = async (planned: PlannedStep, step: Step): Promise<StepResult> => {
    const needs = needsOf(planned).filter((id) => running.has(id))
    const inputs = new Map(
      await Promise.all(needs.map(async (id) => [id, await running.get(id)] as [string, StepResult])),
    )
    context.signal.throwIfAborted()
    const startMs = monotonicMs()
    step.status = 'running'
    step.startedAt = clock.now()
    onProgress(steps)
    try {
      const result = await orAbort(
        runStep(planned, inputs, plan.scope, { ...context, unfinished: plan.fused.has(planned.node.id) }, share, time),
        context.signal,
      )
      const [first] = picturesOf(result)
      step.status = result.skipped ? 'skipped' : 'completed'
      step.width = first?.width ?? null
      step.height = first?.height ?? null
      if (result.list) step.count = result.list.results.length
      return result
    } catch (error) {
      if (context.signal.aborted) throw error
      const fault = asWorkflowFault(error)
      step.status = 'failed'
      step.error = { message: fault.message, details: fault.details }
      stop.abort(fault)
      throw fault
    } finally {
      step.durationMs = Math.round(elapsedSince(startMs) * 1000) / 1000
      onProgress(steps)
      for (const id of needs) {
        const left = (readers.get(id) ?? 0) - 1
        readers.set(id, left)
        if (left > 0 || kept.has(id)) continue
        running.delete(id)
        for (const picture of picturesOf(inputs.get(id))) share.drop(picture)
      }
    }
  }

  for (const [i, planned] of plan.steps.entries()) {
    const step = steps[i]
    if (step === undefined) continue
    if (planned.action === 'unneeded') step.status = 'skipped'
    else running.set(planned.node.id, perform(planned, step))
  }
  // Not the results themselves: they are to be freed with their last reader.
  const all = [...running.values()].map((each) => each.then(() => undefined))
  await Promise.allSettled(all)
  await Promise.all(all)
  const values = new Map(
    await Promise.all([...running].map(async ([id, result]) => [id, await result] as [string, StepResult])),
  )
  const image = values.get(plan.workflow.output.node)?.image
  // The check rules out that it was skipped with nothing to hand on, except where a list turns out to be empty.
  if (image === undefined)
    throw failure(
      'input_invalid',
      `There is no image to give: the list that ${plan.workflow.output.node} takes is empty.`,
    )
  return { image, values }
}

function needsOf({ node, action }: PlannedStep): string[] {
  return action === 'skip' ? Object.values(node.inputs).flat().slice(0, 1) : node.needs
}

function countReaders(steps: PlannedStep[]): Map<string, number> {
  const readers = new Map<string, number>()
  for (const id of steps.flatMap(needsOf)) readers.set(id, (readers.get(id) ?? 0) + 1)
  return readers
}

function outputSettings(
  plan: Plan,
  results: Map<string, StepResult>,
  time: TemplateTime,
): { encode: EncodeSettings; name: string | undefined } {
  let settings = plan.outputSettings
  if (settings === undefined) {
    const nodes = Object.fromEntries([...results].map(([id, result]) => [id, result.values]))
    const { resolved, issues, overLimit } = resolveOutput(plan.workflow, { scope: { ...plan.scope, nodes }, time })
    const [first] = issues
    if (first)
      throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', `${first.path} ${first.message}`, { issues })
    settings = resolved
  }
  const { name, ...encode } = settings as EncodeSettings & { name?: string }
  return { encode, name }
}

function asWorkflowFault(error: unknown): Fault {
  const fault = asFault(error)
  if (fault.code === 'workflow_failed') return fault
  return failure('internal', 'The execution failed unexpectedly.', { cause: error })
}

/** Settles with the work, or rejects with the signal's reason: an operation that cannot be stopped holds nobody up. */
function orAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  return promise
}

function newStep(node: string, operation: string): Step {
  return {
    node,
    operation,
    status: 'pending',
    startedAt: null,
    durationMs: null,
    width: null,
    height: null,
    error: null,
  }
}
