/** Checked workflow + parameters -> plan: what will run, with every value that is known before the first pixel. */

import { brandName } from '../../../shared/brand.ts'
import { scopeValue } from '../../../shared/parameters.ts'
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import { type Scope, TemplateProblem } from '../../../shared/template/template.ts'
import type { UsedBrandValues } from '../../domain/accounts/brand.ts'
import { reachable } from '../../domain/graph.ts'
import type { ParameterValues } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { missingBrandIssues, usedBrandValues } from '../check/brand-uses.ts'
import { countFiles, filesIssue } from '../check/check-outputs.ts'
import type { CheckedNode, CheckedOutput, CheckedWorkflow } from '../check/checked-workflow.ts'
import { isTruthy } from '../check/condition.ts'
import { checkEachHolder } from '../check/each.ts'
import { listOf } from '../check/lists.ts'
import { bindParameters } from '../check/parameters.ts'
import { newBudget, newTemplateBudget } from '../check/template-work.ts'
import { resolve, type Templated } from '../check/values.ts'
import { passedOn, readByOutputs } from '../check/wires.ts'
import { narrowToBranch } from './branch.ts'
import { fuse } from './fuse.ts'
import { inlineWorkflows } from './inline.ts'
import type { PlannedStep } from './planned-step.ts'
import { staticScope } from './template-scopes.ts'

export interface Plan {
  workflow: CheckedWorkflow
  /** Values after defaults. */
  parameters: ParameterValues
  scope: Scope
  /** Each after all that it needs. */
  steps: PlannedStep[]
  /** Which steps are done in one call of sharp with the one that reads them, or with the encoding: `fuse.ts`. */
  fused: ReadonlyMap<string, string>
  /** The primary one first. */
  outputs: readonly [PlannedOutput, ...PlannedOutput[]]
}

export interface PlannedOutput {
  output: CheckedOutput
  /** Rendered; undefined while they wait for values of nodes. */
  settings: Record<string, unknown> | undefined
}

export type PlanResult = { plan: Plan; issues?: undefined } | { plan?: undefined; issues: Issue[] }

/** All issues of these parameters that can be found without an image. `brand`: at least the values that the workflow reads. */
export function planExecution(
  workflow: CheckedWorkflow,
  passed: Record<string, unknown>,
  brand?: UsedBrandValues,
): PlanResult {
  const { values, issues } = bindParameters(workflow.parameters, passed)
  return issues.length > 0 ? { issues } : planBound(workflow, values, brand)
}

/** The same for values that `bindParameters` returned. */
export function planBound(
  checked: CheckedWorkflow,
  parameters: ParameterValues,
  brand: UsedBrandValues = {},
): PlanResult {
  const missing = missingBrandIssues(checked, brand)
  if (missing.length > 0) return { issues: missing }
  const scope = scopeOf(checked, parameters, brand)
  const budget = newTemplateBudget()
  const { workflow, issues } = inlineWorkflows(checked, { scope, budget })
  if (issues.length > 0) return { issues: issues.slice(0, limits.issuesMax) }
  const known: Known = {
    scope,
    budget,
    itemsLeft: itemsMax,
    itemsBudget: newBudget(itemsUnitsMax),
  }

  const actions = new Map(workflow.order.map((id) => [id, actionOf(nodeOf(workflow, id), known, issues)]))
  const branches = workflow.order.map((id) => branchOf(nodeOf(workflow, id), actions.get(id), known))
  const needed = neededBy(
    workflow,
    branches.map(({ node }) => node),
    actions,
  )
  const steps = branches.map(({ node, resolution }): PlannedStep => {
    const { id } = node
    const action = needed.has(id) ? (actions.get(id) ?? 'run') : 'unneeded'
    if (action === 'unneeded' || action === 'skip') return { node, action, params: undefined }
    const items = itemsOf(node, known, issues)
    if (action === 'run') issues.push(...problemsOver(items ?? [], node, known))
    if (!isStatic(node.params, staticScope(node.place, scope))) return { node, action, params: undefined }
    const { resolved, issues: wrong } = resolution ?? resolveParams(node, known)
    // A node that is not decided yet may not run: its issues are reported when it does.
    if (action === 'decide' && wrong.length > 0) return { node, action, params: undefined }
    issues.push(...wrong)
    return { node, action, params: resolved }
  })

  const planOutput = (output: CheckedOutput): PlannedOutput => {
    if (!isStatic(output.settings, staticScope(output.place, scope))) return { output, settings: undefined }
    const { resolved, issues: wrong } = resolveOutput(output, known)
    issues.push(...wrong)
    return { output, settings: resolved }
  }
  const outputs = [planOutput(workflow.output), ...workflow.outputs.slice(1).map(planOutput)] as const
  issues.push(...filesIssue(settingsOf(outputs)))
  if (issues.length > 0) return { issues: issues.slice(0, limits.issuesMax) }
  return { plan: { workflow, parameters, scope, steps, fused: fuse(steps, workflow.outputs), outputs } }
}

const settingsOf = (outputs: readonly PlannedOutput[]) =>
  outputs.map(({ output, settings = output.settings.values }) => settings)

/** The number of files of the outputs, as far as it is known before the execution. */
export function filesOfPlan({ outputs }: Pick<Plan, 'outputs'>): number {
  return countFiles(settingsOf(outputs))
}

/** `scope`: of the parameters, or of all that the settings read. */
export function resolveOutput({ settings, checkSettings, at }: CheckedOutput, known: Pick<Known, 'scope' | 'budget'>) {
  return resolve(settings, checkSettings, known, at)
}

/** The scope of templates, and their remaining work. */
interface Known {
  scope: Scope
  budget: TemplateBudget
  /** How many more items of all lists are checked. */
  itemsLeft: number
  /** The template budget for items. It doesn't count for the plan, because it is spent again when they run. */
  itemsBudget: TemplateBudget
}

/** Issues of later items are reported when they run. */
const itemsMax = 1_000
const itemsUnitsMax = 100_000

/** A parameter that was not passed is null in the scope, so that templates can test it and `default` works. */
function scopeOf(workflow: CheckedWorkflow, parameters: ParameterValues, brand: UsedBrandValues): Scope {
  const scope: Scope = Object.fromEntries(
    workflow.parameters.map((declaration) => {
      const { name } = declaration
      const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined
      return [name, value === undefined ? null : scopeValue(declaration, value)]
    }),
  )
  if (workflow.brandUses.length > 0) scope[brandName] = usedBrandValues(workflow, brand)
  return scope
}

/** Whether it reads only known names: parameters, but no values of nodes and no list items. */
function isStatic(templated: Pick<Templated, 'references'>, scope: Scope): boolean {
  return templated.references.every(
    (reference) => reference.kind === 'parameter' && Object.hasOwn(scope, reference.name),
  )
}

/** The items of a node, if they are known. Adds its issues. */
function itemsOf({ id, each, place }: CheckedNode, known: Known, issues: Issue[]): unknown[] | undefined {
  const scope = staticScope(place, known.scope)
  if (each === undefined || !isStatic(each, scope)) return undefined
  const { resolved, issues: wrong } = resolve(each, checkEachHolder, { scope, budget: known.budget }, `nodes.${id}`)
  issues.push(...wrong)
  return wrong.length > 0 ? undefined : listOf(resolved.each)
}

/** The issues of the params for the first item that doesn't fit, if they depend only on the item. */
function problemsOver(items: unknown[], node: CheckedNode, known: Known): Issue[] {
  const { itemsBudget: budget } = known
  const scope = staticScope(node.place, known.scope)
  for (const [index, item] of items.slice(0, known.itemsLeft).entries()) {
    const itemScope = { ...scope, item, index }
    if (isStatic(node.params, scope) || !isStatic(node.params, itemScope)) return []
    known.itemsLeft -= 1
    budget.unitsLeft -= node.params.copyUnits
    if (budget.unitsLeft <= 0) return []
    const at = `nodes.${node.id}.params`
    const { issues } = resolve(node.params, node.checkParams, { scope: itemScope, budget }, at)
    // An exhausted budget says nothing about the item.
    if (budget.unitsLeft <= 0) return []
    if (issues.length > 0) return issues.map((issue) => ({ ...issue, message: `${issue.message} (item ${index + 1})` }))
  }
  return []
}

function actionOf(node: CheckedNode, { scope: all, budget }: Known, issues: Issue[]): PlannedStep['action'] {
  const { id, when } = node
  const scope = staticScope(node.place, all)
  const run = node.choice && !isStatic(node.params, scope) ? 'decide' : 'run'
  if (typeof when === 'boolean') return when ? run : 'skip'
  if (!isStatic(when, scope)) return 'decide'
  try {
    return isTruthy(when.evaluate(scope, budget)) ? run : 'skip'
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error
    issues.push({ path: `nodes.${id}.when`, message: error.message })
    return 'run'
  }
}

function resolveParams({ id, params, checkParams, place }: CheckedNode, { scope, budget }: Known): Resolution {
  return resolve(params, checkParams, { scope: staticScope(place, scope), budget }, `nodes.${id}.params`)
}

interface Resolution {
  resolved: Record<string, unknown>
  issues: Issue[]
}

/** A choice without the images that its params don't choose, and its params. The issues count only if the node is needed. */
function branchOf(
  node: CheckedNode,
  action: PlannedStep['action'] | undefined,
  known: Known,
): { node: CheckedNode; resolution?: Resolution } {
  if (node.choice === undefined || action !== 'run') return { node }
  const { resolved, issues } = resolveParams(node, known)
  if (issues.length > 0) return { node, resolution: { resolved, issues } }
  const { node: narrowed = node, issue } = narrowToBranch(node, resolved)
  return { node: narrowed, resolution: { resolved, issues: issue ? [issue] : [] } }
}

/** The nodes that the outputs need if skipped nodes only pass on their first input. */
function neededBy(
  workflow: CheckedWorkflow,
  nodes: readonly CheckedNode[],
  actions: ReadonlyMap<string, PlannedStep['action']>,
): Set<string> {
  const graph = new Map(nodes.map((node) => [node.id, actions.get(node.id) === 'skip' ? passedOn(node) : node.needs]))
  return new Set(readByOutputs(workflow).flatMap((id) => [...reachable(graph, id)]))
}

function nodeOf(workflow: CheckedWorkflow, id: string): CheckedNode {
  const node = workflow.nodes.get(id)
  if (node === undefined) throw new Error(`the checked workflow has no node ${id}`)
  return node
}
