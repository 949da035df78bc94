/** Checks the wires of a node against the sockets of its operation. */

import { partsOfWire } from '../../../shared/names.ts'
import { didYouMean } from '../../../shared/suggest.ts'
import { list, show } from '../../../shared/text.ts'
import { joinPath, unknownName } from '../../domain/validate.ts'
import type { WorkflowDocument, WorkflowNode } from '../../domain/workflows/workflow.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../../operations/define.ts'
import type { UsedWorkflow } from './checked-workflow.ts'
import { wireProblem } from './used-workflow.ts'
import { givesImage } from './wires.ts'

/** Node -> its operation, and the workflow that it uses. */
export type Kinds = ReadonlyMap<string, { operation: Operation; used?: UsedWorkflow | undefined }>

/** Socket -> wires, in the operation's order of sockets. Stops at the most issues that a response lists. */
export function checkSockets(
  node: WorkflowNode,
  operation: Operation,
  document: WorkflowDocument,
  kinds: Kinds,
  at: string,
  issues: Issue[],
): Record<string, string[]> {
  const wiring = node.inputs ?? {}
  const names = Object.keys(operation.inputs)
  for (const name of Object.keys(wiring)) {
    if (names.includes(name)) continue
    if (issues.length >= limits.issuesMax) break
    const message =
      names.length > 0
        ? unknownName(`input of ${show(operation.id)}`, name, names)
        : `is not an input of ${show(operation.id)}, which has no inputs`
    issues.push({ path: `${at}.inputs.${name}`, message })
  }
  const inputs: Record<string, string[]> = {}
  for (const [name, socket] of Object.entries(operation.inputs)) {
    const wire = wiring[name]
    if (wire === undefined) {
      if (socket.required)
        issues.push({ path: `${at}.inputs.${name}`, message: `is required. Connect a node: ${socket.description}` })
      continue
    }
    if (Array.isArray(wire) && !socket.many) {
      issues.push({ path: `${at}.inputs.${name}`, message: `must be one node id, not a list` })
    }
    inputs[name] = typeof wire === 'string' ? [wire] : wire
    for (const [i, source] of inputs[name].entries()) {
      if (issues.length >= limits.issuesMax) break
      const path = joinPath(at, 'inputs', name, Array.isArray(wire) ? String(i) : '')
      const { node: id } = partsOfWire(source)
      const from = kinds.get(id)
      const problem = from && wireProblem(source, from.used)
      if (!Object.hasOwn(document.nodes, id)) issues.push({ path, message: missingNode(id, document) })
      else if (problem) issues.push({ path, message: problem })
      else if (from && !givesImage(from.operation)) issues.push({ path, message: withoutImage(id, from.operation) })
    }
  }
  return inputs
}

export function missingNode(id: string, { nodes }: WorkflowDocument): string {
  return `names the node ${show(id)}, which does not exist. ${didYouMean(id, Object.keys(nodes)) || 'Name a node of `nodes`.'}`
}

/** Problem for a node whose operation returns values only. */
export function withoutImage(node: string, { id, outputs }: Operation): string {
  const values = Object.keys(outputs.values ?? {})
  return `names the node ${show(node)}, but its operation ${show(id)} returns no image. Templates can read its values: ${list(values)}.`
}
