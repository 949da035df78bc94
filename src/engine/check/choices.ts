/** Nodes whose params choose one of their images. */
import { isTemplate } from '../../../shared/values.ts'
import type { Issue } from '../../errors.ts'
import type { Choice } from '../../operations/define.ts'
import type { CheckedNode } from './checked-workflow.ts'
import type { Lists } from './lists.ts'

/** Not for lists: each of their items can choose another image. */
export function choiceOf(node: CheckedNode, lists: Lists): Choice | undefined {
  const { choice } = node.operation
  if (choice === undefined || lists.has(node.id) || hasListAt(node, choice, lists)) return undefined
  const { values } = node.params
  const by = values[choice.by.param]
  const mayChoose = isTemplate(by) && choice.params.some((name) => Object.hasOwn(values, name))
  return by === choice.by.value || mayChoose ? choice : undefined
}

/** Issues that are known before its templates are rendered. */
export function choiceIssues(node: CheckedNode, lists: Lists): Issue[] {
  const { choice } = node.operation
  const { values } = node.params
  if (choice === undefined || values[choice.by.param] !== choice.by.value || hasListAt(node, choice, lists)) return []
  const count = node.inputs[choice.socket]?.length ?? 0
  // The missing images have an issue already.
  if (count === 0) return []
  const hasTemplates = choice.params.flatMap((name) => values[name]).some(isTemplate)
  const found = choice.issue(values, count) ?? (hasTemplates ? undefined : choice.indexOf(values, count))
  if (found === undefined || typeof found === 'number') return []
  return [{ path: `nodes.${node.id}.params.${found.param}`, message: found.message }]
}

/** Mistakes that only the operation finds. */
export function operationIssues({ id, operation, inputs, wires, params }: CheckedNode): Issue[] {
  const found = operation.check ? operation.check(params.values, wires ?? inputs) : []
  return found.map(({ param, ...issue }) => ({ path: `nodes.${id}.params.${param}`, ...issue }))
}

function hasListAt({ inputs }: CheckedNode, { socket }: Choice, lists: Lists): boolean {
  return inputs[socket]?.some((source) => lists.has(source)) ?? false
}
