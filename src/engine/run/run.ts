/** Runs a plan: steps and one encoded image, with one deadline and one signal. */

import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { orAbort } from '../../domain/abortable.ts'
import type { AttemptActivity } from '../../domain/attempt-activity.ts'
import { type Clock, countdown, elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { CredentialState } from '../../domain/credential-state.ts'
import type { Step } from '../../domain/execution.ts'
import type { ImageFormat } from '../../domain/image.ts'
import type { ModelCallRecord, ModelInvocation } from '../../domain/model.ts'
import type { Origin } from '../../domain/origin.ts'
import type { EncodeSettings, OutputSettings } from '../../domain/output.ts'
import { asFault, type Fault, failure } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import type { OperationContext } from '../../operations/define.ts'
import { fingerprintsOf } from '../cache/fingerprints.ts'
import { outputKeyOf } from '../cache/key.ts'
import type { Checkpoint, StepReuse, TakenOutput } from '../cache/ports.ts'
import { inTurn, newExecutionBudget } from '../check/template-turns.ts'
import { givesImage } from '../check/wires.ts'
import { outputValues } from '../plan/dependencies.ts'
import { type Plan, resolveOutput } from '../plan/plan.ts'
import type { StepResult } from '../plan/step-result.ts'
import { timeoutFault } from './deadline.ts'
import { createModelCalls, type InvokeModel } from './model-calls.ts'
import type { PixelBudget, PixelShare } from './pixel-budget.ts'
import { createPixelHashing, type PixelHashes, type PixelHashing } from './pixel-hashes.ts'
import type { RunPreviews } from './previews.ts'
import { Scheduler } from './scheduler.ts'
import { encodeSigned, isSigned, type SignedOutput, type SignOutput } from './sign-output.ts'
import { createStepRecords } from './step-records.ts'

export interface EncodedImage {
  bytes: Buffer
  format: ImageFormat
  width: number
  height: number
}

/** Encodes the output. */
export type Encode = (image: ImageValue, settings: EncodeSettings, context: OperationContext) => Promise<EncodedImage>

export interface RunOptions {
  /** Aborts on cancellation and shutdown. Its reason is the fault of the run. */
  signal: AbortSignal
  /** The account of the run: accounts share image work and memory. */
  account?: string | undefined
  timeoutSeconds: number
  pixelsMax: number
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
  /** Signs outputs. Undefined if the run can't. */
  sign?: SignOutput | undefined
  /** Returns the hashes of all results. Without it, results are hashed for Content Credentials only. */
  hashesPixels?: boolean | undefined
  /** Stores previews. Undefined if previews are disabled. */
  previews?: RunPreviews | undefined
  /** Cache and checkpoints. Without them no step has a key, and every step runs. */
  reuse?: StepReuse
  clock: Clock
  /** Called whenever a step changes. The array is reused, in the order of the plan. */
  onProgress(steps: readonly Step[]): void
}

export type RunResult = { steps: Step[]; pixelHashes: PixelHashes } & (
  | { output: RunOutput; fault?: undefined }
  | {
      output?: undefined
      fault: Fault
      /** For an execution that resumes this one. Empty without `reuse`. */
      finished: Checkpoint[]
    }
)

export type RunOutput = Omit<EncodedImage, 'bytes'> &
  TakenOutput & {
    name: string | undefined
    /** Undefined if no known AI model made any of its pixels. */
    origin: Origin | undefined
    /** Of the Content Credentials that were added. */
    credentials?: CredentialState | undefined
    /** For the owner of the output, about its Content Credentials. */
    warnings?: string[]
    /** The key of the output, and the time that it took. Undefined if it came from the cache, or has no key. */
    cacheable?: { key: string; durationMs: number }
  }

export async function runPlan(original: Plan, options: RunOptions): Promise<RunResult> {
  // A fused step has no separate image, so previews need unfused steps. The output is the same.
  const plan: Plan = options.previews ? { ...original, fused: new Map() } : original
  const steps = plan.steps.map(({ node, action }) => newStep(node.id, node.operation.id, action === 'unneeded'))
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
  const late = timeoutFault(options.timeoutSeconds)
  const timer = setTimeout(() => stop.abort(late), options.timeoutSeconds * 1000)
  const share = options.pixels.open(options.account)
  const context: OperationContext = {
    signal: stop.signal,
    account: options.account,
    reserve: share.reserveBytes,
    secondsLeft: countdown(options.timeoutSeconds),
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
    previews: options.previews,
    pixelHashing,
    signal: options.signal,
    asFault: asWorkflowFault,
  })
  try {
    context.signal.throwIfAborted()
    const output = await makeOutput(plan, scheduler, budget, context, startMs, steps, { ...options, pixelHashing })
    if (output.warnings?.length) records.warned(plan.workflow.output.node, output.warnings)
    const pixelHashes = await hashesOf(options.hashesPixels ? pixelHashing : undefined)
    // Stops steps that were started ahead and are not needed.
    stop.abort(new Error('the output is there'))
    await scheduler.ended()
    records.reuseRest()
    await scheduler.previewed()
    return { steps, pixelHashes, output }
  } catch (error) {
    if (!stop.signal.aborted) stop.abort(asWorkflowFault(error))
    await scheduler.ended()
    let fault = asWorkflowFault(stop.signal.reason)
    const waited = fault === late ? modelCalls?.interrupted()[0] : undefined
    if (waited) {
      fault = timeoutFault(options.timeoutSeconds, waited, plan)
      records.failed(waited.node, fault)
    }
    await scheduler.previewed()
    for (const step of steps) if (step.status === 'pending' || step.status === 'running') step.status = 'cancelled'
    const pixelHashes = await hashesOf(options.hashesPixels ? pixelHashing : undefined)
    return { steps, pixelHashes, fault, finished: scheduler.checkpoints() }
  } finally {
    clearTimeout(timer)
    share.close()
    options.signal.removeEventListener('abort', onAbort)
  }
}

/** Undefined if the output can't be signed and the caller doesn't need hashes. */
function pixelHashingOf(
  { steps, outputSettings }: Plan,
  share: PixelShare,
  signal: AbortSignal,
  { sign, hashesPixels }: RunOptions,
): PixelHashing | undefined {
  if (hashesPixels) return createPixelHashing(share, signal, () => true)
  const credentials = outputSettings?.credentials as OutputSettings['credentials']
  if (sign === undefined || credentials === 'never') return undefined
  const hasModels = steps.some(
    ({ node: { operation }, action }) => operation.usesModel && givesImage(operation) && action !== 'unneeded',
  )
  return createPixelHashing(share, signal, (image) => hasModels || isSigned(credentials, image))
}

async function hashesOf(hashing: PixelHashing | undefined): Promise<PixelHashes> {
  return (await hashing?.hashes()) ?? new Map()
}

const unreported: AttemptActivity = { working: (work) => work(), waiting: (wait) => wait() }

/** The bytes of the output: from the cache, or newly encoded. */
async function makeOutput(
  plan: Plan,
  scheduler: Scheduler,
  budget: TemplateBudget,
  context: OperationContext,
  startMs: number,
  steps: readonly Step[],
  {
    encode: encodeNow,
    sign,
    reuse,
    pixelHashing,
    activity = unreported,
  }: RunOptions & { pixelHashing: PixelHashing | undefined },
): Promise<RunOutput> {
  const { signal } = context
  const encode = async (
    image: ImageValue,
    { encode: settings, credentials }: Settings,
  ): Promise<EncodedImage & Partial<SignedOutput>> => {
    const encodeOnce = (encodeSettings: EncodeSettings) =>
      orAbort(
        activity.working(() => encodeNow(image, encodeSettings, context)),
        signal,
      )
    if (sign === undefined || !isSigned(credentials, image)) return encodeOnce(settings)
    const pixelHashes = await orAbort(hashesOf(pixelHashing), signal)
    const signOptions = { steps, pixelHashes, isRequired: credentials === 'always', reserve: context.reserve, signal }
    return encodeSigned(encodeOnce, settings, (encoded, encodedBytesMax) =>
      orAbort(sign(encoded, image, { ...signOptions, encodedBytesMax }), signal),
    )
  }
  const { node } = plan.workflow.output
  const { cache, keyContext } = reuse ?? {}
  const valueNodes = outputValues(plan)
  const resolveSettings = async () => {
    const results = await Promise.all(valueNodes.map(async (id) => [id, await scheduler.valuesOf(id)] as const))
    return outputSettings(plan, new Map(results), budget)
  }
  if (cache === undefined || keyContext === undefined) {
    // Concurrently, like branches.
    const [result, settings] = await orAbort(Promise.all([scheduler.resultOf(node), resolveSettings()]), context.signal)
    const image = imageOf(result.image, node)
    const encoded = await encode(image, settings)
    return { ...encoded, origin: image.origin, name: settings.name }
  }
  const isAhead = valueNodes.length === 0 && (await scheduler.staticIdentityOf(node)) !== undefined
  if (!isAhead) for (const id of [node, ...valueNodes]) void scheduler.startAhead(id)
  const [identity, settings] = await orAbort(
    Promise.all([scheduler.identityOf(node), resolveSettings()]),
    context.signal,
  )
  const { credentials } = settings
  const key = identity && outputKeyOf(identity, { ...settings.encode, ...(credentials && { credentials }) }, keyContext)
  const found = key === undefined ? undefined : await cache.findOutput(key)
  const stored = await found?.take()
  if (found && stored) {
    const { format, width, height, origin, credentials } = found
    return { ...stored, format, width, height, origin, credentials, name: settings.name }
  }
  const result = await orAbort(scheduler.resultOf(node), context.signal)
  const image = imageOf(result.image, node)
  const encoded = await encode(image, settings)
  // Such as a missing time stamp: the next execution tries again, and has the warnings of the steps from the step cache.
  const hasWarnings = (encoded.warnings ?? []).length > 0 || result.warnings !== undefined
  const cacheable =
    key === undefined || scheduler.isTainted(node) || hasWarnings
      ? {}
      : { cacheable: { key, durationMs: elapsedSince(startMs) } }
  return { ...encoded, origin: image.origin, name: settings.name, ...cacheable }
}

/** The check prevents an output without an image, except for an empty list. */
function imageOf(image: ImageValue | undefined, node: string): ImageValue {
  if (image) return image
  throw failure(
    'input_invalid',
    `The output has no image, because the list of node "${node}" is empty. Pass at least one item.`,
  )
}

async function outputSettings(
  plan: Plan,
  results: ReadonlyMap<string, StepResult>,
  total: TemplateBudget,
): Promise<Settings> {
  let settings = plan.outputSettings
  if (settings === undefined) {
    const nodes = Object.fromEntries([...results].map(([id, result]) => [id, result.values]))
    const scope = { ...plan.scope, nodes }
    const { resolved, issues, overLimit } = await inTurn(total, (budget) =>
      resolveOutput(plan.workflow, { scope, budget }),
    )
    const [first] = issues
    if (first)
      throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', `${first.path} ${first.message}`, { issues })
    settings = resolved
  }
  const { name, credentials, ...encode } = settings as OutputSettings
  return { encode, name, credentials }
}

interface Settings {
  encode: EncodeSettings
  name: string | undefined
  credentials: OutputSettings['credentials']
}

function asWorkflowFault(error: unknown): Fault {
  const fault = asFault(error)
  if (fault.code === 'workflow_failed') return fault
  return failure(
    'internal',
    'The execution failed because of an internal error. Retry, or send the request id to the operator.',
    { cause: error },
  )
}

function newStep(node: string, operation: string, isUnneeded: boolean): Step {
  return {
    node,
    operation,
    status: isUnneeded ? 'skipped' : 'pending',
    startedAt: null,
    durationMs: null,
    width: null,
    height: null,
    error: null,
  }
}
