/** Checks the wires of a node against the sockets of its operation. */

import { partsOfWire } from '../../../shared/names.ts'
import { didYouMean } from '../../../shared/suggest.ts'
import { list, show } from '../../../shared/text.ts'
import { fixOfField, fixOfName } from '../../domain/fix.ts'
import { joinPath, unknownName } from '../../domain/validate.ts'
import type { WorkflowDocument, WorkflowNode } from '../../domain/workflows/workflow.ts'
import type { Fix, Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Operation } from '../../operations/define.ts'
import type { UsedWorkflow } from './checked-workflow.ts'
import { likelySources } from './likely-sources.ts'
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
  id: string,
  issues: Issue[],
): Record<string, string[]> {
  const at = `nodes.${id}`
  const wiring = node.inputs ?? {}
  const names = Object.keys(operation.inputs)
  for (const name of Object.keys(wiring)) {
    if (names.includes(name)) continue
    if (issues.length >= limits.issuesMax) break
    const message =
      names.length > 0
        ? unknownName(`input of ${show(operation.id)}`, name, names)
        : `is not an input of ${show(operation.id)}, which has no inputs`
    issues.push({ path: `${at}.inputs.${name}`, message, fix: fixOfField(name, names, wiring) })
  }
  const inputs: Record<string, string[]> = {}
  for (const [name, socket] of Object.entries(operation.inputs)) {
    const wire = wiring[name]
    if (wire === undefined) {
      if (socket.required)
        issues.push({
          path: `${at}.inputs.${name}`,
          message: `is required. Connect a node: ${socket.description}`,
          ...fixOfWire(document, kinds, id),
        })
      continue
    }
    if (Array.isArray(wire) && !socket.many) {
      issues.push({
        path: `${at}.inputs.${name}`,
        message: `must be one node id, not a list`,
        fix: { value: wire[0] },
      })
    }
    inputs[name] = typeof wire === 'string' ? [wire] : wire
    for (const [i, source] of inputs[name].entries()) {
      if (issues.length >= limits.issuesMax) break
      const path = joinPath(at, 'inputs', name, Array.isArray(wire) ? String(i) : '')
      const { node: named } = partsOfWire(source)
      const from = kinds.get(named)
      const problem = from && wireProblem(source, from.used)
      if (!Object.hasOwn(document.nodes, named))
        issues.push({ path, message: missingNode(named, document), ...fixOfNode(named, document, kinds, id) })
      else if (problem) issues.push({ path, message: problem })
      else if (from && !givesImage(from.operation))
        issues.push({ path, message: withoutImage(named, from.operation), ...fixOfWire(document, kinds, id) })
    }
  }
  return inputs
}

/** The most likely node for a wire of the reader, or for an output. */
export function fixOfWire(document: WorkflowDocument, kinds: Kinds, reader?: string): { fix?: Fix } {
  const [likely] = likelySources(document, kinds, reader)
  return likely === undefined ? {} : { fix: { value: likely } }
}

/** The correction of the name of a node that doesn't exist: a similar name, or the most likely node. */
export function fixOfNode(id: string, document: WorkflowDocument, kinds: Kinds, reader?: string): { fix?: Fix } {
  const able = likelySources(document, kinds, reader)
  const { fix } = fixOfName(id, able)
  return fix ? { fix } : fixOfWire(document, kinds, reader)
}

export function missingNode(id: string, { nodes }: WorkflowDocument): string {
  return `names the node ${show(id)}, which does not exist. ${didYouMean(id, Object.keys(nodes)) || 'Name a node of `nodes`.'}`
}

/** Problem for a node whose operation returns values only. */
export function withoutImage(node: string, { id, outputs }: Operation): string {
  const values = Object.keys(outputs.values ?? {})
  return `names the node ${show(node)}, but its operation ${show(id)} returns no image. Templates can read its values: ${list(values)}.`
}
