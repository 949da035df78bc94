/** The scopes of templates in used workflows: they read the names of the document that has them. */
import { joined } from '../../../shared/json-schema.ts'
import { passedValue, readValue, scopeValue } from '../../../shared/parameters.ts'
import type { TemplateBudget } from '../../../shared/template/cost.ts'
import type { Reference, Scope } from '../../../shared/template/template.ts'
import { joinPath } from '../../domain/validate.ts'
import { failure, issueSentence } from '../../errors.ts'
import type { LateParameter, Place } from '../check/checked-workflow.ts'
import { resolve } from '../check/values.ts'

/** The values that templates read before any node runs. `scope`: that of the execution. */
export function staticScope(place: Place | undefined, scope: Scope): Scope {
  return place?.frame.scope ?? scope
}

interface Known {
  scope: Scope
  nodes: Record<string, unknown>
  budget: TemplateBudget
}

/**
 * The values that templates read. `nodes`: the values of the nodes of the plan that have run. `values`: of the late parameters, each once,
 * because several others can read the same one at each level.
 */
export function placedScope(place: Place | undefined, known: Known, values = new Map<LateParameter, unknown>()): Scope {
  const { scope, nodes } = known
  if (place === undefined) return { ...scope, nodes }
  const { frame, late } = place
  const ownScope: Scope = { ...frame.scope }
  for (const name of late) {
    const parameter = frame.late.get(name)
    if (parameter === undefined) continue
    if (!values.has(parameter)) values.set(parameter, lateValue(parameter, known, values))
    ownScope[name] = values.get(parameter)
  }
  const ownNodes: Record<string, unknown> = {}
  for (const [id, planned] of frame.ids) if (Object.hasOwn(nodes, planned)) ownNodes[id] = nodes[planned]
  return { ...ownScope, nodes: ownNodes }
}

function lateValue(
  { declaration, value, at, place, items }: LateParameter,
  known: Known,
  values: Map<LateParameter, unknown>,
): unknown {
  const path = joinPath(at, declaration.name)
  const scope = { ...placedScope(place, known, values), ...items }
  const { resolved, issues, overLimit } = resolve(value, () => [], { scope, budget: known.budget }, at)
  const [first] = issues
  if (first) throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', issueSentence(first), { issues: [first] })
  const passed = passedValue(declaration, resolved[declaration.name]) ?? declaration.default
  if (passed === undefined && !declaration.required) return null
  const { value: read, problems = [] } = passed === undefined ? { problems: [noValue] } : readValue(declaration, passed)
  const wrong = problems.map((problem) => ({ path: joined(path, problem.path), message: problem.message }))
  if (wrong[0]) throw failure('input_invalid', issueSentence(wrong[0]), { issues: wrong })
  return read === undefined ? null : scopeValue(declaration, read)
}

export const noValue = { path: '', message: 'is required, and its template has no value' }

/**
 * References with the nodes of the plan, each once. A late parameter becomes the nodes that it waits for. They count as work of templates,
 * because each node can read many parameters that wait for many nodes; without `unitsLeft` in the budget, the result is not complete.
 */
export function placedReferences(
  references: readonly Reference[],
  frame: Place['frame'],
  budget: TemplateBudget,
): Reference[] {
  const placed = new Map<string, Reference>()
  const read = new Set<string>()
  for (const reference of references) {
    if (reference.kind === 'value') {
      const node = frame.ids.get(reference.node) ?? reference.node
      const placedReference = { ...reference, node }
      placed.set(keyOf(placedReference), placedReference)
    } else if (!read.has(reference.name) && budget.unitsLeft >= 0) {
      read.add(reference.name)
      const late = frame.late.get(reference.name)?.references
      budget.unitsLeft -= late?.length ?? 0
      for (const placedReference of late ?? [reference]) placed.set(keyOf(placedReference), placedReference)
    }
  }
  return [...placed.values()]
}

function keyOf(reference: Reference): string {
  return reference.kind === 'value' ? `nodes.${reference.node}` : reference.name
}

/** The late parameters among the names that templates read. */
export function lateNames(references: readonly Reference[], frame: Place['frame']): string[] {
  const names = references.flatMap((reference) =>
    reference.kind === 'parameter' && frame.late.has(reference.name) ? [reference.name] : [],
  )
  return [...new Set(names)]
}
