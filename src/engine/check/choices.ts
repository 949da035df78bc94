/** Nodes whose params choose one of their images. */
import { isTemplate } from '../../../shared/values.ts'
import type { Issue } from '../../errors.ts'
import type { Choice } from '../../operations/define.ts'
import type { CheckedNode } from './checked-workflow.ts'
import type { Lists } from './lists.ts'

/** Not for lists: each of their items can choose another image. */
export function choiceOf(node: CheckedNode, lists: Lists): Choice | undefined {
  const { choice } = node.operation
  if (choice === undefined || lists.has(node.id)) return undefined
  const by = node.params.values[choice.by.param]
  const isPossible = by === choice.by.value || isTemplate(by)
  return isPossible && !node.inputs[choice.socket]?.some((source) => lists.has(source)) ? choice : undefined
}

/** Issues that are known before its templates are rendered. */
export function choiceIssues({ id, inputs, params }: CheckedNode, choice: Choice): Issue[] {
  if (params.values[choice.by.param] !== choice.by.value) return []
  const issue = choice.issue(params.values, inputs[choice.socket]?.length ?? 0)
  return issue ? [{ path: `nodes.${id}.params.${issue.param}`, message: issue.message }] : []
}
