/** Runs one resolved step: collects its inputs, and runs the operation once, or for each item of a list. */

import pMap from 'p-map'
import type { Frame } from '../../../shared/frames.ts'
import { joinedParts } from '../../domain/credentials/made-from.ts'
import type { AttemptActivity } from '../../domain/executions/attempt-activity.ts'
import { combinedOrigin, type Origin } from '../../domain/images/origin.ts'
import { createPauses } from '../../domain/pauses.ts'
import { failure } from '../../errors.ts'
import type { ImageValue } from '../../imaging/types.ts'
import type { OperationContext } from '../../operations/define.ts'
import { firstWire, takesMany } from '../check/lists.ts'
import { givesImage } from '../check/wires.ts'
import type { PlannedStep } from '../plan/planned-step.ts'
import { type Decision, type Iteration, itemName, locate, type ResolvedStep } from '../plan/resolve-step.ts'
import { imagesOf, listResult, type StepResult } from '../plan/step-result.ts'
import type { StepModelCalls } from './model-calls.ts'
import { type PixelShare, pixelsOf } from './pixel-budget.ts'
import { collectWarnings } from './result-warnings.ts'
import { stepFrames } from './step-frames.ts'

/** The number of concurrent items of a list. The limit of image jobs bounds the actual work. */
const itemsAtOnce = 4

/**
 * `results`: of all nodes that it needs. `resolved`: undefined if the entire step is skipped. Its images are kept in `share`.
 * Throws a `Fault` that names the node.
 */
export async function runStep(
  planned: PlannedStep,
  resolved: ResolvedStep | undefined,
  results: ReadonlyMap<string, StepResult>,
  context: OperationContext,
  share: PixelShare,
  others: Pick<Work, 'activity' | 'modelCalls' | 'onFailure'>,
): Promise<StepResult> {
  const { node, fault } = planned
  try {
    if (fault) throw fault
    const { warn, added } = collectWarnings(node, results)
    if (resolved === undefined) return added(keep(passOn(node, results.get(firstWire(node) ?? '')), share))
    const work = { planned, results, context: { ...context, warn }, share, ...others }
    const { over, decisions } = resolved
    if (over === undefined) return added(await runOnce(work, decisions[0], undefined))
    const runItem = async (item: unknown, index: number) => {
      await pauseIfDue()
      return runOnce(work, decisions[index], { ...over, item, index }).catch((error) => {
        throw locate(error, planned, itemName(over, index))
      })
    }
    const pauseIfDue = createPauses()
    const itemResults = await pMap(over.items, runItem, { concurrency: itemsAtOnce })
    return added(listResult({ ...over, results: itemResults }, valueNames(node)))
  } catch (error) {
    throw locate(error, planned)
  }
}

interface Work {
  planned: PlannedStep
  results: ReadonlyMap<string, StepResult>
  context: OperationContext
  share: PixelShare
  activity: AttemptActivity
  modelCalls?: StepModelCalls | undefined
  /** Gets the frames in the inputs of a failed step, if it has one image. */
  onFailure?(frames: readonly Frame[]): void
}

async function runOnce(work: Work, params: Decision, iteration: Iteration | undefined): Promise<StepResult> {
  const { planned, results, context, share, activity, modelCalls } = work
  const { node } = planned
  context.signal.throwIfAborted()
  const inputs = inputsOf(node, results, iteration)
  if (params === undefined || isMissingInput(node, inputs)) {
    const first = results.get(firstWire(node) ?? '')
    return keep(passOn(node, takesMany(node) ? first : resultAt(first, iteration)), share)
  }
  checkPositions(node, params, results)
  const pixels = Math.max(largest(Object.values(inputs).flat()), sizeIn(params, context.pixelsMax))
  const files: (() => void)[] = []
  const release = await share.reserve(pixels, context.signal)
  try {
    const runContext: OperationContext = {
      ...context,
      ...(modelCalls && { invokeModel: modelCalls.of(iteration?.index) }),
      wires: wiresOf(node, results),
      pixels,
      open: (source) =>
        context.open(source, async (bytes) => {
          files.push(await share.reserveBytes(bytes, context.signal))
        }),
    }
    const { image, drawn, ...values } = await activity.working(() =>
      node.operation.run(inputs as never, params, runContext),
    )
    const all = { ...factsOf(node, image), ...values }
    const frames = stepFrames(drawn ?? node.operation.drawn?.(params, inputs as never, image))
    const result = { image: fromInputs(image, inputs), values: all, skipped: false, ...(frames && { frames }) }
    return keep(result, share)
  } catch (error) {
    const frames = iteration === undefined ? inputFrames(node, params, inputs) : undefined
    if (frames) work.onFailure?.(frames)
    throw error
  } finally {
    release()
    // The kept image counts its bytes from now on.
    for (const releaseFile of files) releaseFile()
  }
}

/** The areas in the inputs of a failed step, so that an editor can show and move one that is outside of its image. */
function inputFrames(
  { operation }: PlannedStep['node'],
  params: Record<string, unknown>,
  inputs: Inputs,
): Frame[] | undefined {
  try {
    return stepFrames(operation.drawn?.(params, inputs as never, undefined).filter(({ of }) => of === 'input'))
  } catch {
    return undefined
  }
}

/** Whether a required input has no image. */
export function isStarved(
  { node }: PlannedStep,
  results: ReadonlyMap<string, StepResult>,
  iteration: Iteration | undefined,
): boolean {
  return isMissingInput(node, inputsOf(node, results, iteration))
}

/** Throws if images of a choice are missing: in a list, it has all images, and would return the wrong one. */
function checkPositions(
  { operation: { choice }, inputs }: PlannedStep['node'],
  params: Record<string, unknown>,
  results: ReadonlyMap<string, StepResult>,
): void {
  if (choice === undefined || params[choice.by.param] !== choice.by.value) return
  const missing = inputs[choice.socket]?.find((source) => imagesOf(results.get(source)).length === 0)
  if (missing === undefined) return
  throw failure(
    'input_invalid',
    `The node "${missing}" was skipped and has no image, but the cases of a list need all images. Connect an input to "${missing}", or remove its \`when\`.`,
  )
}

type Inputs = Record<string, ImageValue | ImageValue[] | undefined>

function inputsOf(
  node: PlannedStep['node'],
  results: ReadonlyMap<string, StepResult>,
  iteration: Iteration | undefined,
): Inputs {
  return Object.fromEntries(
    Object.entries(node.operation.inputs).map(([name, { many }]) => {
      const sources = (node.inputs[name] ?? []).map((source) => results.get(source))
      return [name, many ? sources.flatMap(imagesOf) : resultAt(sources[0], iteration)?.image]
    }),
  )
}

/** The node of each image of `inputsOf`, for named sockets. */
function wiresOf(
  { operation, inputs, names = inputs }: PlannedStep['node'],
  results: ReadonlyMap<string, StepResult>,
): Record<string, string[]> | undefined {
  const named = Object.entries(operation.inputs).filter(([, socket]) => socket.named)
  if (named.length === 0) return undefined
  return Object.fromEntries(
    named.map(([name]) => [
      name,
      (inputs[name] ?? []).flatMap((source, i) => imagesOf(results.get(source)).map(() => names[name]?.[i] ?? source)),
    ]),
  )
}

function isMissingInput({ operation }: PlannedStep['node'], inputs: Inputs): boolean {
  return Object.entries(operation.inputs).some(([name, { required }]) => {
    const input = inputs[name]
    return required && (input === undefined || (Array.isArray(input) && input.length === 0))
  })
}

/** The result with what it has from its inputs: metadata from the file of the first, its origin, and what it is made from. An input stays as it is. */
function fromInputs(image: ImageValue | undefined, inputs: Inputs): ImageValue | undefined {
  const sourceImages = Object.values(inputs).flat()
  if (image === undefined || sourceImages.includes(image)) return image
  const metadata = image.metadata ?? sourceImages[0]?.metadata
  const origin = combinedOrigin([
    ...sourceImages.flatMap((source) => (source ? [source.origin] : [])),
    ...ownOrigins(image),
  ])
  const madeFrom = joinedParts([...sourceImages.map((source) => source?.madeFrom), image.madeFrom])
  if (metadata === image.metadata && origin === image.origin && madeFrom === image.madeFrom) return image
  const { origin: _, ...rest } = image
  return { ...rest, ...(metadata && { metadata }), ...(origin && { origin }), ...(madeFrom && { madeFrom }) }
}

/** The origin that the operation itself has set, because a model made pixels. One that was copied from an input adds nothing. */
function ownOrigins({ origin, animation }: ImageValue): Origin[] {
  return [origin, ...(animation?.frames ?? []).map((frame) => frame.origin)].filter((part) => part !== undefined)
}

/** The result of an operation is about as large as its largest input. */
function largest(images: (ImageValue | undefined)[]): number {
  return Math.max(0, ...images.map((image) => (image ? pixelsOf(image) : 0)))
}

/** The pixels of the size in the params, for operations that create or enlarge an image. */
function sizeIn(params: object, pixelsMax: number): number {
  const { width, height } = params as { width?: unknown; height?: unknown }
  // The operation rejects larger sizes.
  return typeof width === 'number' && typeof height === 'number' ? Math.min(width * height, pixelsMax) : 0
}

function keep(result: StepResult, share: PixelShare): StepResult {
  for (const image of imagesOf(result)) share.keep(image)
  return result
}

/** The result of a list item; any other result is the same for all items. */
function resultAt(result: StepResult | undefined, iteration: Iteration | undefined): StepResult | undefined {
  return iteration && result?.list ? result.list.results[iteration.index] : result
}

/** The result of a skipped node. Its values are null, so that templates that read them still render. */
function passOn(node: PlannedStep['node'], first: StepResult | undefined): StepResult {
  const names = [...Object.keys(node.operation.outputs.values ?? {}), ...(node.each ? ['count'] : [])]
  const none = Object.fromEntries(names.map((name) => [name, null]))
  if (first?.list && !takesMany(node)) {
    const { list } = first
    const results = list.results.map(({ image }) => {
      return { image, values: { ...none, ...factsOf(node, image) }, skipped: true }
    })
    return { ...listResult({ ...list, results }, valueNames(node)), skipped: true }
  }
  const [image] = imagesOf(first)
  return { image, values: { ...none, ...factsOf(node, image) }, skipped: true }
}

function valueNames(node: PlannedStep['node']): string[] {
  return [...Object.keys(factsOf(node, undefined)), ...Object.keys(node.operation.outputs.values ?? {})]
}

function factsOf({ operation }: PlannedStep['node'], image: ImageValue | undefined): Record<string, unknown> {
  if (!givesImage(operation)) return {}
  return { width: image?.width ?? null, height: image?.height ?? null, format: image?.format ?? null }
}
