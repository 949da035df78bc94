/** One step: what it runs over, its inputs, whether it runs, the rest of its params, and the operation itself. */
import { setImmediate } from 'node:timers/promises'
import { Fault, failure } from '../errors.ts'
import type { OperationContext, Picture } from '../operations/define.ts'
import { checkEachHolder, EachHolder, isTruthy } from './check.ts'
import { listOf, wiresOfOne } from './lists.ts'
import { type PixelShare, pixelsOf } from './pixel-budget.ts'
import type { PlannedStep } from './planned-step.ts'
import { listResult, picturesOf, type StepResult } from './results.ts'
import { type Scope, TemplateProblem, type TemplateTime } from './template.ts'
import { resolve } from './values.ts'

/** How many items of a list are worked on at once: the gate of the image work bounds what really runs. */
const itemsAtOnce = 4

/**
 * `results` holds those of all the nodes that it needs. The pictures that it gives are kept in `share`. Throws a `Fault`
 * that names the node.
 */
export async function runStep(
  planned: PlannedStep,
  results: ReadonlyMap<string, StepResult>,
  parameters: Scope,
  context: OperationContext,
  share: PixelShare,
  time: TemplateTime,
): Promise<StepResult> {
  const { node, action } = planned
  try {
    if (action === 'skip') return keep(handOn(node, results.get(firstWire(node) ?? '')), share)
    const work = { planned, results, parameters, context, share, time }
    const over = listFor(work)
    if (over === undefined) return await runOnce(work, undefined)
    const each = await mapInTurns(over.items, itemsAtOnce, (item, index) =>
      runOnce(work, { ...over, item, index }).catch((error) => {
        throw locate(error, planned, `image ${index + 1} of ${over.items.length}`)
      }),
    )
    return listResult({ ...over, results: each }, valueNames(node))
  } catch (error) {
    throw locate(error, planned)
  }
}

interface Work {
  planned: PlannedStep
  results: ReadonlyMap<string, StepResult>
  parameters: Scope
  context: OperationContext
  share: PixelShare
  time: TemplateTime
}

/** What templates see, and the time that is left for them. */
interface Known {
  scope: Scope
  time: TemplateTime
}

interface List {
  items: unknown[]
  origins: ReadonlySet<string>
}

type Place = List & { item: unknown; index: number }

/** What the step runs over: its own `each`, and the lists that are wired where one image is taken, side by side. */
function listFor({ planned: { node }, results, parameters, time }: Work): List | undefined {
  const own = node.each && itemsOf(node, { scope: scopeOf(results, parameters, undefined), time })
  const wired = wiresOfOne(node).flatMap((source) => {
    const list = results.get(source)?.list
    return list ? [{ source, ...list }] : []
  })
  const items = own ?? wired[0]?.items
  if (items === undefined) return undefined
  const other = wired.find((list) => list.items.length !== items.length)
  if (other) {
    const what = own ? 'its `each`' : `the list of ${wired[0]?.source}`
    throw failure(
      'input_invalid',
      `${what} has ${items.length} and the list of ${other.source} has ${other.items.length}: lists that are taken side by side are equally long.`,
    )
  }
  return { items, origins: new Set([...(own ? [node.id] : []), ...wired.flatMap(({ origins }) => [...origins])]) }
}

function itemsOf({ id, each }: PlannedStep['node'], known: Known): unknown[] {
  if (each === undefined) return []
  const { resolved, issues, overLimit } = resolve(each, EachHolder, checkEachHolder, known, `nodes.${id}`)
  const [first] = issues
  if (first) throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', `${first.path} ${first.message}`, { issues })
  return listOf(resolved.each)
}

async function runOnce(work: Work, place: Place | undefined): Promise<StepResult> {
  const { planned, results, parameters, context, share, time } = work
  const { node, params } = planned
  const { operation } = node
  context.signal.throwIfAborted()
  const inputs = Object.fromEntries(
    Object.entries(operation.inputs).map(([name, { many }]) => {
      const sources = (node.inputs[name] ?? []).map((source) => results.get(source))
      return [name, many ? sources.flatMap(picturesOf) : resultAt(sources[0], place)?.image]
    }),
  )
  const starved = Object.entries(operation.inputs).some(
    ([name, { required }]) =>
      required && (inputs[name] === undefined || (Array.isArray(inputs[name]) && inputs[name].length === 0)),
  )
  const known = { scope: scopeOf(results, parameters, place), time }
  if (starved || !wanted(node.when, known)) {
    const first = results.get(firstWire(node) ?? '')
    return keep(handOn(node, takesMany(node) ? first : resultAt(first, place)), share)
  }
  const release = await share.reserve(largest(Object.values(inputs).flat()), context.signal)
  try {
    const { image, ...values } = await operation.run(inputs as never, params ?? render(node, known), context)
    return keep({ image: withOrigin(image, inputs), values: { ...factsOf(image), ...values }, skipped: false }, share)
  } finally {
    release()
  }
}

/** What the file of the first input said besides its pixels goes on with the result, unless that is one of the others. */
function withOrigin(image: Picture | undefined, inputs: Record<string, Picture | Picture[] | undefined>) {
  const given = Object.values(inputs).flat()
  const origin = given[0]?.origin
  if (image === undefined || image.origin || origin === undefined || given.includes(image)) return image
  return { ...image, origin }
}

/** What an operation makes is about as large as the largest picture that it is given. */
function largest(pictures: (Picture | undefined)[]): number {
  return Math.max(0, ...pictures.map((picture) => (picture ? pixelsOf(picture) : 0)))
}

function keep(result: StepResult, share: PixelShare): StepResult {
  for (const picture of picturesOf(result)) share.keep(picture)
  return result
}

/** Of a list, the one at this place; what is no list is the same at every place. */
function resultAt(result: StepResult | undefined, place: Place | undefined): StepResult | undefined {
  return place && result?.list ? result.list.results[place.index] : result
}

/** Values of a node whose list has the same origin are those of the same item. */
function scopeOf(results: ReadonlyMap<string, StepResult>, parameters: Scope, place: Place | undefined): Scope {
  const nodes = Object.fromEntries(
    [...results].map(([id, result]) => {
      const same = place && result.list && !place.origins.isDisjointFrom(result.list.origins)
      return [id, (same ? resultAt(result, place) : result)?.values ?? result.values]
    }),
  )
  const own = place ? { item: place.item, index: place.index } : { item: null, index: 0 }
  return { ...own, ...parameters, nodes }
}

function wanted(when: PlannedStep['node']['when'], { scope, time }: Known): boolean {
  return typeof when === 'boolean' ? when : isTruthy(when.evaluate(scope, time))
}

function render(node: PlannedStep['node'], known: Known): Record<string, unknown> {
  const at = `nodes.${node.id}.params`
  const { resolved, issues, overLimit } = resolve(node.params, node.operation.params, node.checkParams, known, at)
  const [first] = issues
  if (first === undefined) return resolved
  throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', `${first.path} ${first.message}`, { issues })
}

function firstWire({ inputs }: PlannedStep['node']): string | undefined {
  return Object.values(inputs).flat()[0]
}

/** Whether its first wire goes to a socket that takes lists whole. */
function takesMany(node: PlannedStep['node']): boolean {
  return !wiresOfOne(node).includes(firstWire(node) ?? '')
}

/** What a skipped node gives. Its values are there as nothing, so that templates that name them still render. */
function handOn(node: PlannedStep['node'], first: StepResult | undefined): StepResult {
  const names = [...Object.keys(node.operation.outputs.values ?? {}), ...(node.each ? ['count'] : [])]
  const none = Object.fromEntries(names.map((name) => [name, null]))
  if (first?.list && !takesMany(node)) {
    const { list } = first
    const results = list.results.map(({ image }) => ({ image, values: { ...none, ...factsOf(image) }, skipped: true }))
    return { ...listResult({ ...list, results }, valueNames(node)), skipped: true }
  }
  const [image] = picturesOf(first)
  return { image, values: { ...none, ...factsOf(image) }, skipped: true }
}

function valueNames({ operation }: PlannedStep['node']): string[] {
  return [...Object.keys(factsOf(undefined)), ...Object.keys(operation.outputs.values ?? {})]
}

function factsOf(image: Picture | undefined): Record<string, unknown> {
  return { width: image?.width ?? null, height: image?.height ?? null, format: image?.format ?? null }
}

/** In their order, some at once; the first failure ends it. */
async function mapInTurns<Item, Result>(
  items: Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const take = async () => {
    while (next < items.length) {
      const index = next
      next += 1
      // Others have a turn, also where the operation waits for nothing.
      await setImmediate()
      results[index] = await work(items[index] as Item, index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, take))
  return results
}

function locate(error: unknown, planned: PlannedStep, where?: string): Fault {
  const { node } = planned
  const place = { node: node.id, operation: node.operation.id }
  if (error instanceof TemplateProblem) {
    const reason = error.overLimit ? 'limit_exceeded' : 'input_invalid'
    return locate(failure(reason, `nodes.${node.id}.when ${error.message}`), planned, where)
  }
  const known = error instanceof Fault && error.code === 'workflow_failed'
  const fault = known
    ? error
    : failure('internal', `The operation ${node.operation.id} failed unexpectedly.`, { cause: error })
  const message = where === undefined ? fault.message : `${fault.message} (${where})`
  return new Fault('workflow_failed', message, { ...fault.details, ...place }, { cause: fault.cause })
}
