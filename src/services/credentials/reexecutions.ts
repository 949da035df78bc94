/** Verification by re-execution: the steps of a signed output that depend on no AI model run again, and their pixels are compared. */
import { readFile, stat } from 'node:fs/promises'
import type { Clock } from '../../domain/clock.ts'
import type { ExecutionFacts } from '../../domain/credentials/execution-facts.ts'
import type { Execution, ExecutionStore } from '../../domain/executions/execution.ts'
import type { CompareImages, ImageComparison } from '../../domain/images/comparison.ts'
import { outputFormats } from '../../domain/workflows/output.ts'
import { hashOf } from '../../engine/cache/key.ts'
import { isSource } from '../../engine/plan/dependencies.ts'
import { type Plan, planExecution } from '../../engine/plan/plan.ts'
import type { PlannedStep } from '../../engine/plan/planned-step.ts'
import type { Encode, NamedOutputPorts, RunOutput } from '../../engine/run/output-ports.ts'
import type { PixelBudget } from '../../engine/run/pixel-budget.ts'
import { type RunOptions, runPlan } from '../../engine/run/run.ts'
import { Fault } from '../../errors.ts'
import type { Fonts } from '../accounts/fonts.ts'
import type { Sources } from '../executions/sources.ts'
import type { ComparisonSlots, Slot } from '../workflows/comparison-slots.ts'
import type { VersionCache } from '../workflows/version-cache.ts'
import { planOfFile, planTo, repeatableSteps } from './repeatable-steps.ts'

export interface Reexecution {
  /**
   * `equal`: the output has the same pixels. `partial`: the output depends on an AI model, and all steps that could be compared have the
   * same pixels. `different`: the pixels of the output differ, or those of a step. `impossible`: see the message.
   */
  result: 'equal' | 'partial' | 'different' | 'impossible'
  /** One or more sentences. */
  message: string
  executionId?: string
  workflowId?: string
  workflowVersion?: number
  /** Steps in the order of work. */
  steps: ReexecutedStep[]
  firstDifference?: Pick<ReexecutedStep, 'node' | 'operation'> & { message: string }
  /** The comparison of the files, as far as both are there. */
  output?: Pick<ImageComparison, 'sameSize' | 'differing' | 'maxDifference'>
}

export interface ReexecutedStep {
  node: string
  operation: string
  /** `unknown`: its pixels were not recorded. `skipped`: it was not executed again. */
  result: 'equal' | 'different' | 'unknown' | 'skipped'
  message?: string
}

/**
 * Executes the recorded version with the recorded parameters again, without the cache, and compares. `file`: path of the output; `facts`:
 * from its manifest. Stores nothing and calls no provider. Throws `unavailable` if the account compares something already, or if too
 * many wait; rejects with the reason of the signal.
 */
export type Reexecute = (
  accountId: string,
  output: { file: string; facts: ExecutionFacts },
  signal: AbortSignal,
) => Promise<Reexecution>

interface Dependencies {
  executions: Pick<ExecutionStore, 'find'>
  versionCache: Pick<VersionCache, 'of'>
  sources: Pick<Sources, 'open'>
  fonts: Pick<Fonts, 'usable'>
  slots: ComparisonSlots
  encode: Encode
  named: Omit<NamedOutputPorts, 'store'>
  compare: CompareImages
  processes: RunOptions['processes']
  pixels: PixelBudget
  pixelsMax: number
  clock: Clock
  /** Time for each run. */
  secondsEach: number
  /** Version of this program. */
  version: string
}

export function createReexecute(dependencies: Dependencies): Reexecute {
  const { executions, slots, version } = dependencies
  return async (accountId, { file, facts }, signal) => {
    const execution = await executions.find(accountId, facts.execution)
    if (execution === undefined)
      return impossible(
        `Execution ${JSON.stringify(facts.execution)} was not found. It may have been deleted, or belong to another account.`,
      )
    const about = aboutOf(execution)
    const planned = await planOf(execution, facts, dependencies)
    if (typeof planned === 'string') return { ...impossible(planned), ...about }
    const slot = await slots.open(accountId, signal)
    try {
      const compared = await repeat(accountId, planned, { file, facts }, slot, dependencies)
      const note =
        facts.engine === version
          ? ''
          : ` The output was made with version ${facts.engine}, and this is version ${version}.`
      return { ...compared, message: compared.message + note, ...about }
    } finally {
      slot.end()
    }
  }
}

function impossible(message: string): Reexecution {
  return { result: 'impossible', message, steps: [] }
}

function aboutOf({ id, workflowId, workflowVersion, isDraft }: Execution) {
  return { executionId: id, workflowId, ...(!isDraft && { workflowVersion }) }
}

/** A sentence if it can't be repeated. */
async function planOf(
  execution: Execution,
  facts: ExecutionFacts,
  { versionCache }: Dependencies,
): Promise<Plan | string> {
  const { id, parameters, brand, output } = execution
  if (output === null) return `Execution "${id}" has no output.`
  if (hashOf(parameters) !== facts.parameters) return `The recorded parameters are not those of execution "${id}".`
  if ((brand && hashOf(brand)) !== facts.brand) return `The recorded brand values are not those of execution "${id}".`
  try {
    const workflow = await versionCache.of(execution)
    if (hashOf(workflow.document) !== facts.document) return `The recorded document is not that of execution "${id}".`
    const { plan, issues } = planExecution(workflow, parameters, brand)
    if (issues) return `The parameters became invalid: ${issues[0]?.path} ${issues[0]?.message}.`
    const { output } = facts
    const file = output && { ...output, format: outputFormats.find((format) => format === output.format) }
    return planOfFile(plan, file) ?? `The workflow of execution "${id}" has no output "${output?.name}".`
  } catch (error) {
    if (error instanceof Fault && error.code === 'workflow_failed') return error.message
    throw error
  }
}

async function repeat(
  accountId: string,
  plan: Plan,
  { file, facts }: { file: string; facts: ExecutionFacts },
  slot: Slot,
  dependencies: Dependencies,
): Promise<Reexecution> {
  const { signal, secondsLeft } = slot
  const { hasOutput, modelBefore, targets } = repeatableSteps(plan)
  const hashes = new Map<string, string>()
  let output: RunOutput | undefined
  for (const target of targets) {
    if (target !== targets[0]) await slot.pass()
    const isOutput = hasOutput && target === plan.workflow.output.node
    const result = await runPlan(planTo(plan, target), runOptions(isOutput))
    signal.throwIfAborted()
    for (const [node, hash] of result.pixelHashes) hashes.set(node, hash)
    output = result.output
    // A list before a model can't be an output, but it has hashes.
    if (result.fault && (isOutput || !result.pixelHashes.has(target)))
      return impossible(`The execution can't be repeated: ${result.fault.message}`)
  }
  const steps = plan.steps.flatMap((step) => compareStep(step, facts, { hashes, modelBefore }) ?? [])
  if (!hasOutput || output === undefined) return withoutOutput(steps)
  return withOutput(steps, await compareOutput(output), plan)

  function runOptions(isOutput: boolean): RunOptions {
    return {
      ...dependencies,
      signal,
      account: accountId,
      timeoutSeconds: Math.min(dependencies.secondsEach, secondsLeft()),
      open: (source, reserve) => dependencies.sources.open(accountId, source, signal, { reserve }),
      fonts: () => dependencies.fonts.usable(accountId),
      hashesPixels: true,
      encode: isOutput ? encodeOutput : encodeNothing,
      onProgress: () => undefined,
    }
  }

  function encodeOutput(...[image, settings, context]: Parameters<Encode>): ReturnType<Encode> {
    const { maxBytes } = settings
    // The facts of a file can only lower a limit of the document.
    const limited = maxBytes === undefined ? {} : { maxBytes: Math.min(maxBytes, facts.encodedBytesMax ?? maxBytes) }
    return dependencies.encode(image, { ...settings, ...limited }, context)
  }

  async function compareOutput({ bytes = Buffer.alloc(0) }: RunOutput): Promise<ImageComparison> {
    const share = dependencies.pixels.open(accountId)
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(tooSlow()), secondsLeft() * 1_000)
    try {
      const inTime = AbortSignal.any([signal, late.signal])
      const { size } = await stat(file)
      await share.reserveBytes(size + bytes.length, inTime)
      const options = { tolerance: 0, signal: inTime, secondsLeft, account: accountId, reserve: share.reserveBytes }
      return await dependencies.compare(await readFile(file), bytes, options)
    } finally {
      clearTimeout(timer)
      share.close()
    }
  }
}

function tooSlow(): Fault {
  return new Fault('unavailable', 'The comparison with the file took too long. Retry later.')
}

/** Encoder for runs whose output is a step before a model: only the hashes of their steps are needed. */
const encodeNothing: Encode = async ({ width, height }) => ({ bytes: Buffer.alloc(0), format: 'png', width, height })

interface Found {
  /** Hashes of the results of this execution, by node. */
  hashes: ReadonlyMap<string, string>
  modelBefore: ReadonlyMap<string, string>
}

/** Undefined for a step that the execution didn't need. */
function compareStep(
  step: PlannedStep,
  { pixels = {}, operations }: ExecutionFacts,
  { hashes, modelBefore }: Found,
): ReexecutedStep | undefined {
  const { id: node, operation } = step.node
  if (step.action === 'unneeded') return undefined
  const about = { node, operation: operation.id }
  if (step.action === 'skip') return { ...about, result: 'skipped', message: 'Its condition is false.' }
  const model = modelBefore.get(node)
  if (model !== undefined) {
    const message = model === node ? 'It calls an AI model.' : `It depends on node "${model}", which calls an AI model.`
    return { ...about, result: 'skipped', message }
  }
  const [recorded, now] = [ownValue(pixels, node), hashes.get(node)]
  if (recorded === undefined || now === undefined) return { ...about, result: 'unknown', message: unknownMessage }
  if (recorded === now) return { ...about, result: 'equal' }
  if (isSource(step))
    return { ...about, result: 'different', message: 'The source has other bytes than the recorded ones.' }
  const was = ownValue(operations, operation.id)
  const isOther = was !== undefined && was !== operation.version
  const message = isOther
    ? `The operation has changed: it had version ${was}, and has version ${operation.version} now.`
    : 'Its pixels differ from the recorded ones.'
  return { ...about, result: 'different', message }
}

/** The names come from an unknown file. */
function ownValue<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

const unknownMessage =
  'Its pixels were not recorded: for example, it came from the cache, was executed together with the next step, or returned no image.'

/** All steps that could be compared are compared, but the output needs a model. */
function withoutOutput(steps: ReexecutedStep[]): Reexecution {
  const first = firstDifference(steps)
  if (first) return { result: 'different', message: differenceSentence(first), steps, firstDifference: first }
  const count = steps.filter(({ result }) => result === 'equal').length
  if (count === 0) {
    const isAll = steps.every(({ result }) => result === 'skipped')
    return {
      ...impossible(
        isAll ? 'No step can be repeated: all depend on an AI model.' : 'No step can be compared: none was recorded.',
      ),
      steps,
    }
  }
  const those = count === 1 ? 'The step' : `The ${count} steps`
  return {
    result: 'partial',
    message: `${those} that could be compared gave the same pixels. The others depend on an AI model, so the pixels of the file itself were not compared.`,
    steps,
  }
}

function withOutput(
  all: ReexecutedStep[],
  { sameSize, differing, maxDifference }: ImageComparison,
  plan: Plan,
): Reexecution {
  const { node } = plan.workflow.output
  const output = { sameSize, differing, maxDifference }
  if (sameSize && maxDifference === 0) {
    const steps = all.map((step): ReexecutedStep => {
      // It was executed together with the encoding.
      if (step.node === node) return { node, operation: step.operation, result: 'equal' }
      return step
    })
    return { result: 'equal', message: 'The execution gave the same pixels again.', steps, output }
  }
  const operation = plan.steps.find((step) => step.node.id === node)?.node.operation.id ?? ''
  const encoding = { node, operation, message: 'No recorded step differs, so the encoding of the output does.' }
  const first = firstDifference(all) ?? encoding
  return { result: 'different', message: differenceSentence(first), steps: all, firstDifference: first, output }
}

function firstDifference(steps: readonly ReexecutedStep[]): Reexecution['firstDifference'] {
  const first = steps.find(({ result }) => result === 'different')
  return first && { node: first.node, operation: first.operation, message: first.message ?? '' }
}

function differenceSentence({ node, operation, message }: NonNullable<Reexecution['firstDifference']>): string {
  return `The first difference is at node "${node}" (${operation}). ${message}`
}
