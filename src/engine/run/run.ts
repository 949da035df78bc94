/** Runs a plan: steps and the files of its outputs, with one deadline and one signal. */
import { counted } from '../../../shared/text.ts'
import { orAbort } from '../../domain/abortable.ts'
import { type Clock, countdown, monotonicMs } from '../../domain/clock.ts'
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import type { Step } from '../../domain/executions/execution.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { ModelCallRecord, ModelInvocation } from '../../domain/models/model.ts'
import type { OutputSettings } from '../../domain/workflows/output.ts'
import { asFault, Fault, failure, MachineBusy } from '../../errors.ts'
import type { OperationContext } from '../../operations/define.ts'
import { fingerprintsOf } from '../cache/fingerprints.ts'
import type { Checkpoint, StepReuse, StoredFile } from '../cache/ports.ts'
import type { CheckedOutput } from '../check/checked-workflow.ts'
import { newExecutionBudget } from '../check/template-work.ts'
import { givesImage } from '../check/wires.ts'
import type { Plan, PlannedOutput } from '../plan/plan.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { createFileStore } from './file-store.ts'
import { makeImages } from './image-output.ts'
import { createModelCalls, type InterruptedCall, type InvokeModel } from './model-calls.ts'
import type { Encode, NamedOutputPorts, RunNamedOutput, RunOutput } from './output-ports.ts'
import type { InSlot, OutputRun, SignFile } from './output-run.ts'
import { makePdf } from './pdf-output.ts'
import type { PixelBudget, PixelShare } from './pixel-budget.ts'
import { createPixelHashing, type PixelHashes, type PixelHashing } from './pixel-hashes.ts'
import type { RunPreviews } from './previews.ts'
import { Scheduler } from './scheduler.ts'
import { isSigned, type SignOutput } from './sign-output.ts'
import { createStepRecords } from './step-records.ts'

export interface RunOptions {
  /** Aborts on cancellation and shutdown. Its reason is the fault of the run. */
  signal: AbortSignal
  /** The account of the run: accounts share image work and memory. */
  account?: string | undefined
  timeoutSeconds: number
  pixelsMax: number
  processes: OperationContext['processes']
  /** The pixel budget of all executions. */
  pixels: PixelBudget
  open: OperationContext['open']
  fonts?: OperationContext['fonts']
  /** Calls models. Undefined if the run can't. */
  invokeModel?: InvokeModel | undefined
  /** The calls of earlier attempts, by node. */
  callsBefore?: ReadonlyMap<string, ModelCallRecord[]> | undefined
  /** Learns when the run works and when it only waits. */
  activity?: AttemptActivity | undefined
  encode: Encode
  /** Undefined if the run makes only the primary output. */
  named?: NamedOutputPorts | undefined
  /** Signs outputs. Undefined if the run can't. */
  sign?: SignOutput | undefined
  /** Returns the hashes of all results. Without it, results are hashed for Content Credentials only. */
  hashesPixels?: boolean | undefined
  /** Id of the node whose frames report the positions of a caret in a text. It always runs. */
  caretsOf?: string | undefined
  /** Stores previews. Undefined if previews are disabled. */
  previews?: RunPreviews | undefined
  /** Cache and checkpoints. Without them no step has a key, and every step runs. */
  reuse?: StepReuse
  clock: Clock
  /** Called whenever a step changes. The array is reused, in the order of the plan. */
  onProgress(steps: readonly Step[]): void
}

export type RunResult = { steps: Step[]; pixelHashes: PixelHashes } & (
  | ({ fault?: undefined } & RunOutputs)
  | {
      output?: undefined
      fault: Fault
      /** Results that an execution can resume with. Empty without `reuse`. */
      finished: Checkpoint[]
      /** Bytes of files that no image record will refer to. */
      stored: StoredFile[]
    }
)

/** Created once: recording the stack of an error takes longer than planning a small workflow. */
const outputIsReady = new Error('the output is ready')

export async function runPlan(original: Plan, options: RunOptions): Promise<RunResult> {
  // A fused step has no separate image, so previews need unfused steps. The output is the same.
  const plan: Plan = options.previews ? { ...original, fused: new Map() } : original
  const steps = plan.steps.map((step) => newStep(step, plan))
  const fingerprints = options.previews && (await fingerprintsOf(plan, options.reuse?.keyContext.variations))
  for (const step of steps) {
    const calls = options.callsBefore?.get(step.node)
    if (calls) step.calls = calls
    const fingerprint = fingerprints?.get(step.node)
    if (fingerprint) step.fingerprint = fingerprint
  }
  const stop = new AbortController()
  const onAbort = () => stop.abort(options.signal.reason)
  options.signal.addEventListener('abort', onAbort, { once: true })
  if (options.signal.aborted) onAbort()
  const startMs = monotonicMs()
  let late: Fault | undefined
  const timer = setTimeout(() => {
    late = timeoutFault(options.timeoutSeconds)
    stop.abort(late)
  }, options.timeoutSeconds * 1000)
  const share = options.pixels.open(options.account)
  const context: OperationContext = {
    signal: stop.signal,
    account: options.account,
    reserve: share.reserveBytes,
    secondsLeft: countdown(options.timeoutSeconds),
    processes: options.processes,
    pixelsMax: options.pixelsMax,
    open: options.open,
    fonts: options.fonts,
  }
  const budget = newExecutionBudget()
  const { reuse, invokeModel, callsBefore, activity = unreported } = options
  const records = createStepRecords(steps, options.clock, () => options.onProgress(steps))
  const { signal, secondsLeft } = context
  const expectedModel = (invocation: ModelInvocation) => reuse?.keyContext.models?.(invocation).ready[0]?.model
  const onCalls = records.modelCalls
  const modelCalls =
    invokeModel &&
    createModelCalls({
      invokeModel,
      expectedModel,
      signal,
      secondsLeft,
      callsBefore,
      onCalls,
      waiting: activity.waiting,
    })
  const pixelHashing = pixelHashingOf(plan, share, signal, options)
  const scheduler = new Scheduler({
    plan,
    records,
    context,
    share,
    budget,
    stop,
    keyContext: reuse?.keyContext,
    cache: reuse?.cache,
    checkpoints: reuse?.checkpoints,
    modelCalls,
    activity,
    caretsOf: options.caretsOf,
    previews: options.previews,
    pixelHashing,
    signal: options.signal,
    asFault: asWorkflowFault,
  })
  const { encode, sign, named } = options
  const reserve = (bytes: number) => share.reserveBytes(bytes, signal)
  const files = createFileStore({ reuse, store: named?.store, reserve })
  const outputRun: Parameters<typeof makeOutputs>[0] = {
    plan,
    scheduler,
    budget,
    context,
    share,
    activity,
    reuse,
    startMs,
    encode,
    named,
    files,
    sign: sign && signing(sign, steps, pixelHashing, context),
  }
  const stopWith = (error: unknown) => {
    if (!stop.signal.aborted) stop.abort(asWorkflowFault(error))
  }
  try {
    context.signal.throwIfAborted()
    const outputs = await makeOutputs(outputRun, records.warned, stopWith)
    const pixelHashes = await hashesOf(options.hashesPixels ? pixelHashing : undefined)
    // Stops steps that were started ahead and are not needed.
    stop.abort(outputIsReady)
    await scheduler.ended()
    records.reuseRest()
    await scheduler.describeUnneeded()
    await scheduler.previewed()
    return { steps, pixelHashes, ...outputs }
  } catch (error) {
    stopWith(error)
    await scheduler.ended()
    let fault = asWorkflowFault(stop.signal.reason)
    const waited = fault === late ? modelCalls?.interrupted()[0] : undefined
    if (waited) {
      fault = timeoutFault(options.timeoutSeconds, waited, plan)
      records.failed(waited.node, fault)
    }
    await scheduler.describeUnneeded()
    await scheduler.previewed()
    for (const step of steps) if (step.status === 'pending' || step.status === 'running') step.status = 'cancelled'
    const pixelHashes = await hashesOf(options.hashesPixels ? pixelHashing : undefined)
    const { finished, stored } = files.left()
    return { steps, pixelHashes, fault, finished: [...finished, ...scheduler.checkpoints()], stored }
  } finally {
    clearTimeout(timer)
    share.close()
    options.signal.removeEventListener('abort', onAbort)
  }
}

/** Undefined if no output can be signed and the caller doesn't need hashes. */
function pixelHashingOf(
  { steps, outputs }: Plan,
  share: PixelShare,
  signal: AbortSignal,
  { sign, hashesPixels }: RunOptions,
): PixelHashing | undefined {
  if (hashesPixels) return createPixelHashing(share, signal, () => true)
  const all = outputs.flatMap(({ output, settings }) =>
    output.kind === 'pdf' ? [] : [settings?.credentials as OutputSettings['credentials']],
  )
  const signed = all.filter((credentials) => credentials !== 'never')
  if (sign === undefined || signed.length === 0) return undefined
  const hasModels = steps.some(
    ({ node: { operation }, action }) => operation.usesModel && givesImage(operation) && action !== 'unneeded',
  )
  return createPixelHashing(
    share,
    signal,
    (image) => hasModels || signed.some((credentials) => isSigned(credentials, image)),
  )
}

async function hashesOf(hashing: PixelHashing | undefined): Promise<PixelHashes> {
  return (await hashing?.hashes()) ?? new Map()
}

function signing(
  sign: SignOutput,
  steps: readonly Step[],
  hashing: PixelHashing | undefined,
  { signal, reserve }: OperationContext,
): SignFile {
  return async (
    file,
    image,
    { output: { name, node, kind }, file: { credentials, encode, width }, encodedBytesMax },
  ) => {
    const pixelHashes = await orAbort(hashesOf(hashing), signal)
    const output = { name, node, width, format: kind === 'set' ? encode.format : undefined }
    const isRequired = credentials === 'always'
    return sign(file, image, { steps, pixelHashes, isRequired, output, encodedBytesMax, reserve, signal })
  }
}

const unreported: AttemptActivity = { working: (work) => work(), waiting: (wait) => wait() }

function asWorkflowFault(error: unknown): Fault {
  const fault = asFault(error)
  if (fault.code === 'workflow_failed') return fault
  if (fault instanceof MachineBusy) return new Fault('workflow_failed', fault.message, fault.details, { cause: fault })
  return failure(
    'internal',
    'The execution failed because of an internal error. Retry, or send the request id to the operator.',
    { cause: error },
  )
}

function newStep({ node, action }: PlannedStep, { workflow }: Plan): Step {
  const outputs = workflow.outputs.flatMap(({ name, nodes }) => (name && nodes.includes(node.id) ? [name] : []))
  return {
    node: node.id,
    operation: node.operation.id,
    status: action === 'unneeded' ? 'skipped' : 'pending',
    startedAt: null,
    durationMs: null,
    width: null,
    height: null,
    ...(outputs.length > 0 && { outputs }),
    error: null,
  }
}

/** `waited`: a model call that was under way. The fault has the same details as the one for the deadline of a call. */
function timeoutFault(timeoutSeconds: number, waited?: InterruptedCall, plan?: Pick<Plan, 'steps'>): Fault {
  const message = `The execution did not finish within ${counted(timeoutSeconds, 'second')}`
  if (waited === undefined) return failure('timeout', `${message}.`)
  const { node, model, call } = waited
  const step = plan?.steps.find((planned) => planned.node.id === node)
  const details = {
    reason: 'timeout' as const,
    problem: 'timeout',
    ...(model !== undefined && { provider: model.slice(0, model.indexOf('/')), model }),
    ...(call?.requestId !== undefined && { providerRequestId: call.requestId }),
    billed: billedOf(model, call),
    node,
    ...(step && { operation: step.node.operation.id }),
  }
  return new Fault('workflow_failed', `${message}: node "${node}" was waiting for ${model ?? 'an AI model'}.`, details)
}

function billedOf(model: string | undefined, call: ModelCallRecord | undefined): 'no' | 'yes' | 'unknown' {
  if (model?.startsWith('local/') || call?.costUsd === 0) return 'no'
  return call?.costSource === 'reported' || call?.costSource === 'computed' ? 'yes' : 'unknown'
}

/** Files of all outputs of a run. */
export interface RunOutputs {
  output: RunOutput
  outputs: RunNamedOutput[]
}

/** Images of `outputs` that are encoded at the same time. The limit of image jobs bounds the actual work. */
const imagesAtOnce = 4

/**
 * Makes all outputs at the same time: they share the results of the steps, and each file is encoded once. `onWarnings`: problems of the files
 * of a node. Rejects with the first failure, when no output is being made any more.
 */
async function makeOutputs(
  from: Omit<OutputRun, 'oneAtATime'>,
  onWarnings: (node: string, warnings: string[]) => void,
  onFailure: (error: unknown) => void,
): Promise<RunOutputs> {
  const { signal } = from.context
  const [primary, ...named] = from.plan.outputs
  const inSlot = slotsOf(signal, imagesAtOnce)
  const run: OutputRun = { ...from, oneAtATime: slotsOf(signal, 1) }
  const stopOthers = (error: unknown): never => {
    onFailure(error)
    throw error
  }
  const works = [
    makePrimary(primary, run, onWarnings).catch(stopOthers),
    ...named.map((output) =>
      makeNamed(output, run, inSlot, onWarnings).catch(locatedAt(output.output)).catch(stopOthers),
    ),
  ] as const
  await Promise.allSettled(works)
  const [output, ...outputs] = await Promise.all(works)
  return { output: output as RunOutput, outputs: outputs as RunNamedOutput[] }
}

function slotsOf(signal: AbortSignal, concurrency: number): InSlot {
  const queue = createFairQueue({ slots: concurrency })
  return (work) => queue.run({ signal }, work)
}

async function makePrimary(
  planned: PlannedOutput,
  run: OutputRun,
  onWarnings: (node: string, warnings: string[]) => void,
): Promise<RunOutput> {
  const { settings, files, warnings } = await makeImages(planned, run, (work) => work())
  const [file] = files
  if (file === undefined) throw new Error('the primary output has no file')
  if (warnings.length > 0) onWarnings(planned.output.node, warnings)
  return { ...file, name: settings.name }
}

async function makeNamed(
  planned: PlannedOutput,
  run: OutputRun,
  inSlot: InSlot,
  onWarnings: (node: string, warnings: string[]) => void,
): Promise<RunNamedOutput> {
  const { name: output = '', node, kind } = planned.output
  if (kind === 'pdf') {
    const { name, file } = await makePdf(planned, run, inSlot)
    return { output, isSet: false, name, files: [file] }
  }
  const { settings, files, placeholder, warnings } = await makeImages(planned, run, inSlot)
  if (warnings.length > 0) onWarnings(node, [...new Set(warnings)])
  return { output, isSet: kind === 'set', name: settings.name, files, placeholder }
}

/** The fault of an output of `outputs`, with its name. */
function locatedAt({ name, node }: CheckedOutput) {
  return (error: unknown): never => {
    if (!(error instanceof Fault) || error.details.node !== undefined) throw error
    throw new Fault(error.code, error.message, { ...error.details, output: name, node }, { cause: error.cause })
  }
}
