/** Resolves a step before it runs: the items that it runs over, whether it runs, and its rendered params. */

import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { type Scope, TemplateProblem } from '../../../shared/template/template.ts'
import { counted } from '../../../shared/text.ts'
import { Fault, failure, issueSentence, MachineBusy } from '../../errors.ts'
import type { CheckedNode } from '../check/checked-workflow.ts'
import { isTruthy } from '../check/condition.ts'
import { checkEachHolder } from '../check/each.ts'
import { listOf, wiresOfOne } from '../check/lists.ts'
import { inPiece } from '../check/template-work.ts'
import { resolve } from '../check/values.ts'
import { referencesOf } from '../check/wires.ts'
import type { PlannedStep } from './planned-step.ts'
import { placedScope } from './template-scopes.ts'

/** The values of a step that templates of other steps read; for a list also those of each item. A `StepResult` fits. */
export interface KnownStep {
  values: Record<string, unknown>
  list?: List & { results?: { values: Record<string, unknown> }[] }
}

export interface List {
  items: unknown[]
  origins: ReadonlySet<string>
}

export type Iteration = List & { item: unknown; index: number }

/** The params that it runs with; undefined if it is skipped. */
export type Decision = Record<string, unknown> | undefined

export interface ResolvedStep {
  /** Undefined if it runs once. */
  over: List | undefined
  /** One for each item; a single one if it runs once. */
  decisions: Decision[]
}

export interface ResolveContext {
  known: ReadonlyMap<string, KnownStep>
  parameters: Scope
  /** The template budget of the execution. */
  budget: TemplateBudget
  /** Whether a required input has no image. Then the step is skipped, and its templates are not rendered. */
  isStarved?(iteration: Iteration | undefined): boolean
}

/** Resolves a step that the plan doesn't skip. Throws a `Fault` with the id of the node. */
export async function resolveStep(planned: PlannedStep, context: ResolveContext): Promise<ResolvedStep> {
  try {
    const over = await inPiece(context.budget, (budget) => listFor(planned, { ...context, budget }))
    if (over === undefined) return { over, decisions: [await decide(planned, context, undefined)] }
    const decisions: Decision[] = []
    for (const [index, item] of over.items.entries()) {
      try {
        decisions.push(await decide(planned, context, { ...over, item, index }))
      } catch (error) {
        throw locate(error, planned, itemName(over, index))
      }
    }
    return { over, decisions }
  } catch (error) {
    throw locate(error, planned)
  }
}

/** Evaluates `when` of a step that runs once. Throws a `TemplateProblem`. */
export function isConditionTrue({ node }: PlannedStep, context: ResolveContext): Promise<boolean> {
  return inPiece(context.budget, (budget) => {
    const scope = scopeOf(node, { ...context, budget }, undefined)
    return evaluatesToTrue(node.when, { scope, budget })
  })
}

/** Whether its templates read only parameters. */
export function isStatic({ node, action }: PlannedStep): boolean {
  return action === 'skip' || referencesOf(node).every(({ kind }) => kind === 'parameter')
}

/** The items that the step runs over: its own `each`, in parallel with the lists that are wired to sockets for one image. */
function listFor({ node }: PlannedStep, context: ResolveContext): List | undefined {
  const eachItems = node.each && itemsOf(node, { scope: scopeOf(node, context, undefined), budget: context.budget })
  const wired = wiresOfOne(node).flatMap((source) => {
    const list = context.known.get(source)?.list
    return list ? [{ source, ...list }] : []
  })
  const items = eachItems ?? wired[0]?.items
  if (items === undefined) return undefined
  const other = wired.find((list) => list.items.length !== items.length)
  if (other) {
    const firstList = eachItems ? '`each`' : `the list of "${wired[0]?.source}"`
    throw failure(
      'input_invalid',
      `Lists that are used by the same node must have the same length: ${firstList} has ${counted(items.length, 'item')}, and the list of "${other.source}" has ${other.items.length}.`,
    )
  }
  return { items, origins: new Set([...(eachItems ? [node.id] : []), ...wired.flatMap(({ origins }) => [...origins])]) }
}

/** The scope of templates, and their remaining work. */
interface Known {
  scope: Scope
  budget: TemplateBudget
}

function itemsOf({ id, each }: CheckedNode, known: Known): unknown[] {
  if (each === undefined) return []
  const { resolved, issues, overLimit } = resolve(each, checkEachHolder, known, `nodes.${id}`)
  const [first] = issues
  if (first) throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', issueSentence(first), { issues })
  return listOf(resolved.each)
}

async function decide(
  { node, params }: PlannedStep,
  context: ResolveContext,
  iteration: Iteration | undefined,
): Promise<Decision> {
  if (context.isStarved?.(iteration)) return undefined
  return inPiece(context.budget, (budget) => {
    const known = { scope: scopeOf(node, { ...context, budget }, iteration), budget }
    if (!evaluatesToTrue(node.when, known)) return undefined
    if (params) return params
    budget.unitsLeft -= node.params.copyUnits
    return render(node, known)
  })
}

/** Values that templates can read. For a node whose list has the same origin, the values of the same item. */
function scopeOf(
  { place }: CheckedNode,
  { known, parameters, budget }: ResolveContext,
  iteration: Iteration | undefined,
): Scope {
  const nodes = Object.fromEntries(
    [...known].map(([id, { values, list }]) => {
      const same = iteration && list?.results && !iteration.origins.isDisjointFrom(list.origins)
      return [id, (same ? list.results?.[iteration.index]?.values : undefined) ?? values]
    }),
  )
  const itemValues = iteration ? { item: iteration.item, index: iteration.index } : { item: null, index: 0 }
  return { ...itemValues, ...placedScope(place, { scope: parameters, nodes, budget }) }
}

function evaluatesToTrue(when: CheckedNode['when'], { scope, budget }: Known): boolean {
  return typeof when === 'boolean' ? when : isTruthy(when.evaluate(scope, budget))
}

function render(node: CheckedNode, known: Known): Record<string, unknown> {
  const at = `nodes.${node.id}.params`
  const { resolved, issues, overLimit } = resolve(node.params, node.checkParams, known, at)
  const [first] = issues
  if (first === undefined) return resolved
  throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', issueSentence(first), { issues })
}

export function itemName({ items }: List, index: number): string {
  return `image ${index + 1} of ${items.length}`
}

/** The fault of a step, with the id of its node and operation. */
export function locate(error: unknown, planned: PlannedStep, where?: string): Fault {
  const { node } = planned
  const location = { node: node.id, operation: node.operation.id }
  if (error instanceof TemplateProblem) {
    const reason = error.overLimit ? 'limit_exceeded' : 'input_invalid'
    return locate(
      failure(reason, issueSentence({ path: `nodes.${node.id}.when`, message: error.message })),
      planned,
      where,
    )
  }
  const known = error instanceof Fault && (error.code === 'workflow_failed' || error instanceof MachineBusy)
  const fault = known
    ? error
    : failure(
        'internal',
        `The operation "${node.operation.id}" failed because of an internal error. Retry, or send the request id to the operator.`,
        { cause: error },
      )
  const message = where === undefined ? fault.message : `${fault.message} (${where})`
  return new Fault('workflow_failed', message, { ...fault.details, ...location }, { cause: fault.cause })
}
