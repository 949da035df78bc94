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

/** The values that templates read. `nodes`: the values of the nodes of the plan that have run. */
export function placedScope(
  place: Place | undefined,
  { scope, nodes, budget }: { scope: Scope; nodes: Record<string, unknown>; budget: TemplateBudget },
): Scope {
  if (place === undefined) return { ...scope, nodes }
  const { frame, late } = place
  const values: Scope = {}
  for (const name of late) {
    const parameter = frame.late.get(name)
    if (parameter) values[name] = lateValue(parameter, { scope, nodes, budget })
  }
  const own: Record<string, unknown> = {}
  for (const [id, planned] of frame.ids) if (Object.hasOwn(nodes, planned)) own[id] = nodes[planned]
  return { ...frame.scope, ...values, nodes: own }
}

function lateValue(
  { declaration, value, at, place, items }: LateParameter,
  known: { scope: Scope; nodes: Record<string, unknown>; budget: TemplateBudget },
): unknown {
  const path = joinPath(at, declaration.name)
  const scope = { ...placedScope(place, known), ...items }
  const { resolved, issues, overLimit } = resolve(value, () => [], { scope, budget: known.budget }, at)
  const [first] = issues
  if (first) throw failure(overLimit ? 'limit_exceeded' : 'input_invalid', issueSentence(first), { issues: [first] })
  const passed = passedValue(declaration, resolved[declaration.name]) ?? declaration.default
  if (passed === undefined && !declaration.required) return null
  const { value: read, problems = [] } = passed === undefined ? { problems: [noValue] } : readValue(declaration, passed)
  const wrong = problems.map((each) => ({ path: joined(path, each.path), message: each.message }))
  if (wrong[0]) throw failure('input_invalid', issueSentence(wrong[0]), { issues: wrong })
  return read === undefined ? null : scopeValue(declaration, read)
}

export const noValue = { path: '', message: 'is required, and its template has no value' }

/** References with the nodes of the plan. A late parameter becomes the values that it waits for. */
export function placedReferences(references: readonly Reference[], frame: Place['frame']): Reference[] {
  return references.flatMap((reference): Reference[] => {
    if (reference.kind === 'value') return [{ ...reference, node: frame.ids.get(reference.node) ?? reference.node }]
    return frame.late.get(reference.name)?.references ?? [reference]
  })
}

/** The late parameters among the names that templates read. */
export function lateNames(references: readonly Reference[], frame: Place['frame']): string[] {
  const names = references.flatMap((each) =>
    each.kind === 'parameter' && frame.late.has(each.name) ? [each.name] : [],
  )
  return [...new Set(names)]
}
