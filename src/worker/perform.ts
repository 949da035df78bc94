/** Runs one claimed execution to its outcome. */
import { imageSeconds, isTwin } from '../domain/accounts/twin.ts'
import { atMostEvery } from '../domain/at-most-every.ts'
import { blobKeyOf } from '../domain/blob-key.ts'
import type { Clock } from '../domain/clock.ts'
import type { AttemptActivity } from '../domain/executions/attempt-activity.ts'
import type {
  Execution,
  ExecutionOutput,
  ExecutionSlot,
  ExecutionStore,
  NamedExecutionOutput,
  OutputFile,
  Step,
} from '../domain/executions/execution.ts'
import type { ExecutionNotices, ExecutionOutcome } from '../domain/executions/execution-notice.ts'
import { newId } from '../domain/ids.ts'
import { type DaysByPlan, expiryOf, secondsOfPlan } from '../domain/images/expiry.ts'
import { type BlobStore, type Image, type ImageFormat, imageFormats } from '../domain/images/image.ts'
import type { ModelClient } from '../domain/models/model.ts'
import { type ObservedWork, observe } from '../domain/observed.ts'
import { orUnavailable, persist } from '../domain/persist.ts'
import type { WorkflowStore } from '../domain/workflows/workflow.ts'
import type { Checkpoint, StoredFile, StoredImage } from '../engine/cache/ports.ts'
import { planExecution } from '../engine/plan/plan.ts'
import type { Encode, NamedOutputPorts, RunFile, RunNamedOutput } from '../engine/run/output-ports.ts'
import type { PixelBudget } from '../engine/run/pixel-budget.ts'
import { type RunOptions, type RunOutputs, type RunResult, runPlan } from '../engine/run/run.ts'
import { Fault, failure, notValidNow } from '../errors.ts'
import type { OutputCredentials } from '../services/credentials/output-credentials.ts'
import { sourceRule } from '../services/delivery/sources.ts'
import { executionError } from '../services/executions/executions.ts'
import type { Sources } from '../services/executions/sources.ts'
import { cleanFileName } from '../services/images/images.ts'
import type { CheckpointStore } from '../services/results/checkpoints.ts'
import type { Previews } from '../services/results/previews.ts'
import type { StepCaches } from '../services/results/step-cache.ts'
import type { ReusedVariations, StepReuseFor } from '../services/results/step-reuse.ts'
import type { VersionCache } from '../services/workflows/version-cache.ts'
import { isUnavailable, LeaseLost } from './interruptions.ts'
import { modelCallOptions } from './model-calls.ts'

export interface PerformDependencies {
  executions: ExecutionStore
  notices: Pick<ExecutionNotices, 'send'>
  workflows: WorkflowStore
  blobs: BlobStore
  versionCache: VersionCache
  sources: Sources
  reuse: StepReuseFor
  /** Undefined if the cache is disabled. */
  caches: Pick<StepCaches, 'offerOutput'> | undefined
  /** Undefined if previews are disabled. */
  previews?: Pick<Previews, 'of'> | undefined
  /** Stores the completed steps of failed executions. */
  checkpointStore: CheckpointStore
  /** Undefined if no model can be called. */
  modelClient?: ModelClient | undefined
  encode: Encode
  /** The work on `outputs`. */
  named: Omit<NamedOutputPorts, 'store'>
  /** Undefined if outputs can't be signed. */
  outputCredentials?: OutputCredentials | undefined
  clock: Clock
  /** Days that outputs stay if neither the request nor the project says it. */
  outputsKeptDays?: DaysByPlan | undefined
  timeoutSeconds: number
  pixelsMax: number
  processes: RunOptions['processes']
  pixels: PixelBudget
  /** Receives an error of the steps that readers see, once a minute. They are written with the outcome then. */
  onUnwritten(error: unknown): void
  /** Receives every failure with its cause, which callers don't see. */
  onFailure(execution: Execution, fault: Fault): void
}

/**
 * Runs a claimed execution and records its outcome. Aborts the run if it loses its lease. Rejects, with nothing recorded, with
 * the reason of an aborted run, or with `DependencyUnavailable`. Returns the outcome if nothing else of the record has changed.
 */
export type Perform = (
  execution: Execution,
  run: AbortController,
  slot: ExecutionSlot,
  activity: AttemptActivity,
) => Promise<ExecutionOutcome | undefined>

export function createPerform(dependencies: PerformDependencies): Perform {
  const { executions, clock, onFailure } = dependencies
  const recording = { ...dependencies, onUnwritten: atMostEvery(60_000, dependencies.onUnwritten) }
  return (execution, run, slot, activity) => {
    const facts: ObservedWork['execution'] = { execution }
    return observe('execution', facts, () => performOnce(execution, run, slot, activity, facts))
  }

  async function performOnce(
    execution: Execution,
    run: AbortController,
    slot: ExecutionSlot,
    activity: AttemptActivity,
    facts: ObservedWork['execution'],
  ): Promise<ExecutionOutcome | undefined> {
    const recorder = createRecorder(execution, recording, () => run.abort(new LeaseLost()))
    let steps: Step[] = []
    let fault: Fault
    const { signal } = run
    const storage = createOutputStorage(dependencies.blobs, clock, signal)
    try {
      const result = await runExecution(execution, { signal, slot, activity, storage }, recorder.note, dependencies)
      steps = result.steps
      if (result.fault) {
        await keepFinished(execution, result.finished, signal, dependencies)
        await storage.discard(result.stored)
        throw result.fault
      }
      await recorder.stop()
      const outcome = await storeOutputs(execution, result, recorder, { signal, slot, storage }, dependencies)
      facts.outcome = 'completed'
      return outcome
    } catch (error) {
      await recorder.stop()
      signal.throwIfAborted()
      if (isUnavailable(error)) throw error
      fault =
        error instanceof Fault && error.code === 'workflow_failed'
          ? error
          : failure(
              'internal',
              'The execution failed because of an internal error. Retry, or send the request id to the operator.',
              { cause: error },
            )
    }
    const changed = recorder.changed(steps)
    const ended = { error: executionError(execution.id, fault), steps, changed, completedAt: clock.now() }
    if (await persist(() => executions.fail(execution.id, execution.attempt, ended), signal)) {
      facts.outcome = 'failed'
      facts.reason = fault.details.reason
      onFailure(execution, fault)
    }
    return undefined
  }
}

/** An execution that stores its primary output keeps its slot for this time. Most files are on a local disk sooner, and then the claim of the next execution shares the transaction that records this one. */
const slowStoreMs = 10

/** `name`: the name in the document of this execution. Undefined if the current workflow decides. `mayCallModels`: its record can have costs. */
type Ran = RunResult & { name: string | undefined; mayCallModels: boolean; imageIds: readonly string[] }

interface Attempt {
  signal: AbortSignal
  slot: ExecutionSlot
  storage: OutputStorage
}

async function runExecution(
  execution: Execution,
  { signal, slot, activity, storage }: Attempt & { activity: AttemptActivity },
  onProgress: (steps: readonly Step[]) => void,
  dependencies: PerformDependencies,
): Promise<Ran> {
  const { versionCache, sources, encode, clock, timeoutSeconds, pixelsMax, processes, pixels } = dependencies
  const checked = await orUnavailable(versionCache.of(execution))
  versionCache.keep(execution, checked)
  const { plan, issues } = planExecution(checked, execution.parameters, execution.brand)
  if (issues) throw notValidNow('The parameters are no longer valid', issues)
  const [{ usableFonts, imageIds, ...reuse }, checkpoints, modelCalls] = await orUnavailable(
    Promise.all([
      dependencies.reuse(execution.accountId, reusedVariations(execution)),
      dependencies.checkpointStore.of(execution),
      modelCallOptions(execution, plan, slot.yieldSlot, dependencies),
    ]),
  )
  // A signature would say that a model made the image.
  const signing = isTwin(execution.accountId) ? undefined : dependencies.outputCredentials?.of(execution, plan)
  const isAllowed = sourceRule(checked.document)
  const read = new Set<string>()
  const open = async (source: string, reserve?: (bytes: number) => Promise<void>) => {
    // Templates that read values of nodes were not known when the URL was accepted.
    const isRestricted = execution.derivedKey !== undefined && (await orUnavailable(sources.isForeign(source)))
    if (isRestricted && !isAllowed(source)) throw notAllowed(source)
    const { whileDownloading } = slot
    const file = await orUnavailable(sources.open(execution.accountId, source, signal, { reserve, whileDownloading }))
    signing?.opened(source, file)
    if (file.imageId !== undefined) read.add(file.imageId)
    return file
  }
  const result = await runPlan(plan, {
    signal,
    account: execution.accountId,
    reuse: {
      ...reuse,
      checkpoints,
      keyContext: { ...reuse.keyContext, identify: (source) => orUnavailable(reuse.keyContext.identify(source)) },
    },
    timeoutSeconds,
    pixelsMax,
    processes,
    pixels,
    open,
    fonts: () => orUnavailable(usableFonts()),
    ...modelCalls,
    activity,
    encode,
    named: { ...dependencies.named, store: storage.store },
    sign: signing?.sign,
    previews: execution.previews && dependencies.previews?.of(execution.accountId),
    clock,
    onProgress,
  })
  const name = execution.isDraft ? checked.document.name : undefined
  return {
    ...result,
    name,
    mayCallModels: modelCalls.invokeModel !== undefined,
    imageIds: [...read.union(new Set(imageIds()))],
  }
}

function reusedVariations({ workflowId, variations }: Execution): ReusedVariations | undefined {
  return variations && { workflowId, variations }
}

/**
 * Writes the bytes, then images, steps and status in one transaction. An attempt that has lost its lease removes its bytes again.
 */
async function storeOutputs(
  execution: Execution,
  { output, outputs, steps, name, mayCallModels, imageIds }: Extract<Ran, { output: object }>,
  recorder: Pick<Recorder, 'changed'>,
  { signal, slot, storage }: Attempt,
  { executions, workflows, clock, caches, outputsKeptDays }: PerformDependencies,
): Promise<ExecutionOutcome | undefined> {
  const workflow = await persist(() => workflows.findOwner(execution.workflowId), signal)
  // A core is free while a disk or a bucket is slow.
  const bytes = output.stored ? 0 : output.bytes.byteLength
  const timer = setTimeout(slot.end, slowStoreMs, 'storing', bytes)
  const found = await imagesOf({ output, outputs }, storage.store, {
    execution,
    projectId: workflow?.projectId ?? null,
    workflowName: name ?? workflow?.name,
    expiresIn:
      execution.derivedKey === undefined
        ? imageSeconds(
            execution.accountId,
            execution.expiresIn ?? workflow?.outputsExpireIn ?? secondsOfPlan(outputsKeptDays, workflow?.plan),
          )
        : undefined,
    now: clock.now(),
  }).finally(() => clearTimeout(timer))
  const warnings = steps.flatMap(({ node, warnings = [] }) => warnings.map((message) => ({ node, message })))
  const result = {
    image: found.image,
    otherImages: found.otherImages,
    output: { ...found.output, ...(warnings.length > 0 && { warnings }) },
    outputs: found.outputs,
    steps,
    changed: recorder.changed(steps),
    completedAt: clock.now(),
    derivedKey: execution.derivedKey,
    imageIds,
  }
  const completed = persist(() => executions.complete(execution.id, execution.attempt, result), signal)
  // The claim of the next execution then shares the transaction of this write.
  slot.end('recording', bytes)
  const isCurrent = await completed
  if (!isCurrent) {
    await storage.discard([found.image, ...found.otherImages])
    return undefined
  }
  // Files of delivery URLs are not images in storage, which the cache refers to.
  if (execution.derivedKey === undefined) {
    for (const { image, file } of found.files)
      for (const key of file.cacheable?.keys ?? [])
        caches?.offerOutput(key, image, file.cacheable?.durationMs ?? 0, { pages: file.pages, imageIds })
  }
  const { attempt, startedAt } = execution
  // An earlier attempt may have called models.
  if (mayCallModels || attempt > 1) return undefined
  return {
    status: 'completed',
    attempt,
    startedAt,
    completedAt: result.completedAt,
    output: result.output,
    ...(result.outputs && { outputs: result.outputs }),
  }
}

/**
 * Runs before the failure is published, so that a resumed execution finds all checkpoints. If the execution was cancelled it has
 * ended, and if another worker has it nothing is stored.
 */
async function keepFinished(
  execution: Execution,
  finished: readonly Checkpoint[],
  signal: AbortSignal,
  { executions, checkpointStore }: PerformDependencies,
): Promise<void> {
  if (signal.aborted) {
    // If it can't be read, nothing is stored: a resumed execution runs these steps again.
    const now = await executions.find(execution.accountId, execution.id).catch(() => undefined)
    if (now?.status !== 'failed') return
  }
  await checkpointStore.keep(execution, finished)
}

function notAllowed(source: string): Fault {
  return failure(
    'input_invalid',
    `The URL ${JSON.stringify(source.slice(0, 200))} is of a host that the workflow doesn't allow for delivery URLs. Add the host to "delivery.sources".`,
  )
}

/** Writes the steps of a running execution from time to time, for readers. */
export interface Recorder {
  /** Notes a change. The array and its steps may change further. */
  note(steps: readonly Step[]): void
  /** The steps that differ from their last write. */
  changed(steps: readonly Step[]): Step[]
  /** No writes happen after it resolves. */
  stop(): Promise<void>
}

interface Recording {
  executions: Pick<ExecutionStore, 'saveSteps'>
  notices: Pick<ExecutionNotices, 'send'>
  /** Receives the errors of writes. The steps are written with the outcome then. */
  onUnwritten(error: unknown): void
}

/** Steps are written at most every quarter of a second while they change, so that short executions write them once. */
const recordEveryMs = 250

export function createRecorder(
  { id, attempt }: Pick<Execution, 'id' | 'attempt'>,
  { executions, notices, onUnwritten }: Recording,
  onLeaseLost: () => void,
): Recorder {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  /** Each step as JSON, by node. */
  let written = new Map<string, string>()

  function changed(steps: readonly Step[]): Step[] {
    return steps.filter((step) => written.get(step.node) !== JSON.stringify(step))
  }

  async function write(current: readonly Step[]): Promise<void> {
    // The steps change while the write waits for the database, and the record must agree with the events.
    const steps = current.map((step) => ({ ...step }))
    const texts = new Map(steps.map((step) => [step.node, JSON.stringify(step)]))
    try {
      if (!(await executions.saveSteps(id, attempt, steps, changed(steps)))) return onLeaseLost()
      written = texts
      notices.send({ kind: 'changed', executionId: id })
    } catch (error) {
      onUnwritten(error)
    }
  }

  return {
    note(steps) {
      timer ??= setTimeout(() => {
        timer = undefined
        // One at a time: writes that overtake each other would store older steps, and events out of order.
        writing = writing.then(() => write(steps))
      }, recordEveryMs)
    },
    changed,
    async stop() {
      clearTimeout(timer)
      await writing
    },
  }
}

/** The files of an execution in storage. */
interface OutputStorage {
  /** Makes the bytes durable under the key of a new image. No record refers to them yet. */
  store(file: { bytes: Buffer; format: ImageFormat }): Promise<StoredImage>
  /** Removes files that no record will refer to. If that fails, the sweep removes them, and reports errors of the store. */
  discard(files: readonly Pick<StoredFile, 'id' | 'format'>[]): Promise<void>
}

function createOutputStorage(blobs: BlobStore, clock: Clock, signal: AbortSignal): OutputStorage {
  return {
    async store({ bytes, format }) {
      const id = newId('img', clock.now())
      const write = async () => {
        const { bytes: size, sha256 } = await blobs.put(blobKeyOf({ id, format }), bytes)
        return { id, size, sha256 }
      }
      return persist(write, signal)
    },

    async discard(files) {
      for (const file of files) await blobs.remove(blobKeyOf(file)).catch(() => undefined)
    },
  }
}

interface About {
  execution: Pick<Execution, 'id' | 'accountId'>
  projectId: string | null
  /** Name for files. */
  workflowName: string | undefined
  /** Seconds after which the images are removed. */
  expiresIn: number | undefined
  now: number
}

interface StoredRunFile {
  image: Image
  file: RunFile
}

interface OutputImages {
  /** Image of the primary output. */
  image: Image
  otherImages: Image[]
  output: ExecutionOutput
  /** Undefined if the workflow has no `outputs`. */
  outputs: NamedExecutionOutput[] | undefined
  /** The image of each file. */
  files: StoredRunFile[]
}

/** Stores the bytes that are not stored yet. */
async function imagesOf(
  { output, outputs }: RunOutputs,
  store: OutputStorage['store'],
  about: About,
): Promise<OutputImages> {
  const imageOf = async (file: RunFile, name: string | undefined): Promise<StoredRunFile> => {
    const { format, width, height, origin, credentials } = file
    const stored = file.stored ?? (await store(file))
    const image: Image = {
      id: stored.id,
      accountId: about.execution.accountId,
      projectId: about.projectId,
      name: outputName(name ?? about.workflowName, format),
      format,
      size: stored.size,
      width,
      height,
      sha256: stored.sha256,
      origin: origin ?? null,
      credentials: credentials ?? null,
      executionId: about.execution.id,
      createdAt: about.now,
      ...expiryOf(about.now, about.expiresIn),
    }
    return { image, file }
  }
  const primary = await imageOf(output, output.name)
  const files = [primary]
  const named: NamedExecutionOutput[] = []
  for (const encoded of outputs) {
    const stored: StoredRunFile[] = []
    for (const file of encoded.files) stored.push(await imageOf(file, nameOfFile(encoded, file, about)))
    files.push(...stored)
    named.push(namedOutput(encoded, stored))
  }
  return {
    image: primary.image,
    otherImages: files.slice(1).map(({ image }) => image),
    output: outputFile(primary.image),
    outputs: named.length > 0 ? named : undefined,
    files,
  }
}

function namedOutput(
  { output: name, isSet, placeholder }: RunNamedOutput,
  files: StoredRunFile[],
): NamedExecutionOutput {
  // The widest file of the last format: every client can show it.
  const last = files.at(-1)
  if (last === undefined) throw new Error(`the output ${name} has no file`)
  const { pages } = last.file
  return {
    name,
    ...sizedFile(last.image),
    ...(isSet && { files: files.map(({ image }) => sizedFile(image)), ...placeholder }),
    ...(pages !== undefined && { pages }),
  }
}

function outputFile({ id, width, height, format, origin, expiresAt }: Image): OutputFile {
  return { imageId: id, width, height, format, ...(origin && { origin }), ...(expiresAt && { expiresAt }) }
}

function sizedFile(image: Image): OutputFile & { size: number } {
  return { ...outputFile(image), size: image.size }
}

/** `Launch card hero 960`, or the name in the settings with the width of a file in a set. */
function nameOfFile({ output, isSet, name }: RunNamedOutput, { width }: RunFile, { workflowName }: About): string {
  const base = name === undefined ? `${workflowName ?? ''} ${output}`.trim() : withoutExtension(name)
  return isSet ? `${base} ${width}` : (name ?? base)
}

const extensions = Object.values(imageFormats).map(({ extension }) => `.${extension}`)

function withoutExtension(name: string): string {
  const found = extensions.find((extension) => name.toLowerCase().endsWith(extension))
  return found === undefined ? name : name.slice(0, -found.length)
}

/** `Launch card` to `Launch card.webp`. A name with the extension is left as it is. */
function outputName(name: string | undefined, format: ImageFormat): string {
  const extension = `.${imageFormats[format].extension}`
  const base = cleanFileName(name?.replaceAll(/[\\/]/g, '-')) || 'image'
  return base.toLowerCase().endsWith(extension) ? base : `${base}${extension}`
}
