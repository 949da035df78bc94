/** The rules for `delivery` that the schema can't express. */
import { list, show } from '../../../shared/text.ts'
import { reservedNames } from '../../domain/delivery/delivery.ts'
import { unknownName } from '../../domain/validate.ts'
import type { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { CheckedNode } from './checked-workflow.ts'

export function checkDelivery({ delivery, parameters = [] }: WorkflowDocument): Issue[] {
  if (delivery === undefined) return []
  const declared = parameters.map(({ name }) => name)
  const allowed = delivery.parameters ?? []
  const seen = new Set<string>()
  const issues: Issue[] = []
  for (const [i, name] of allowed.entries()) {
    const path = `delivery.parameters.${i}`
    if (!declared.includes(name)) issues.push({ path, message: unknownName('parameter', name, declared) })
    else if (seen.has(name)) issues.push({ path, message: `is ${show(name)}, which is listed before. Remove it.` })
    else if ((reservedNames as readonly string[]).includes(name))
      issues.push({
        path,
        message: `is ${show(name)}, which delivery URLs need for themselves (${list(reservedNames)}). Rename the parameter.`,
      })
    seen.add(name)
    if (issues.length >= limits.issuesMax) break
  }
  for (const { name, required, default: preset } of parameters) {
    if (!required || preset !== undefined || seen.has(name)) continue
    const message = `must list ${show(name)}, because the parameter is required. Add it, or give it a default.`
    issues.push({ path: 'delivery.parameters', message })
  }
  return issues
}

/** Steps that may cost money, although URLs may not. */
export function deliveryWarnings({ delivery }: WorkflowDocument, nodes: Iterable<CheckedNode>): Issue[] {
  if (delivery === undefined || delivery.paid === true) return []
  const calling = [...nodes].filter(({ operation }) => operation.usesModel !== undefined).map(({ id }) => id)
  if (calling.length === 0) return []
  const message = `is not true, so delivery URLs are rejected if ${list(calling)} would call a model that costs money. Set it to true to allow them.`
  return [{ path: 'delivery.paid', message }]
}
