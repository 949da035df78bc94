/** Checks the wires of a node against the sockets of its operation. */

import { show } from '../../../shared/text.ts'
import { joinPath } from '../../domain/validate.ts'
import type { WorkflowDocument, WorkflowNode } from '../../domain/workflow.ts'
import type { Issue } from '../../errors.ts'
import type { Catalogue, Operation } from '../../operations/define.ts'
import { givesImage } from './wires.ts'

/** Socket -> nodes, in the operation's order of sockets. */
export function checkSockets(
  node: WorkflowNode,
  operation: Operation,
  document: WorkflowDocument,
  catalogue: Catalogue,
  at: string,
  issues: Issue[],
): Record<string, string[]> {
  const wiring = node.inputs ?? {}
  const names = Object.keys(operation.inputs)
  for (const name of Object.keys(wiring)) {
    if (names.includes(name)) continue
    const known = names.length > 0 ? `its sockets: ${names.join(', ')}` : 'it takes no images'
    issues.push({ path: `${at}.inputs.${name}`, message: `is not a socket of ${operation.id}; ${known}` })
  }
  const inputs: Record<string, string[]> = {}
  for (const [name, socket] of Object.entries(operation.inputs)) {
    const wire = wiring[name]
    if (wire === undefined) {
      if (socket.required) issues.push({ path: `${at}.inputs.${name}`, message: `is required: ${socket.description}` })
      continue
    }
    if (Array.isArray(wire) && !socket.many) {
      issues.push({ path: `${at}.inputs.${name}`, message: `takes one node, not a list` })
    }
    inputs[name] = typeof wire === 'string' ? [wire] : wire
    for (const [i, source] of inputs[name].entries()) {
      const path = joinPath(at, 'inputs', name, Array.isArray(wire) ? String(i) : '')
      const wired = Object.hasOwn(document.nodes, source) ? document.nodes[source] : undefined
      const from = wired && catalogue.get(wired.type)
      if (wired === undefined) issues.push({ path, message: `there is no node ${show(source)}` })
      else if (from && !givesImage(from)) issues.push({ path, message: `is ${source}, and ${noImageBut(from)}` })
    }
  }
  return inputs
}

export function noImageBut({ id, outputs }: Operation): string {
  const values = Object.keys(outputs.values ?? {})
  return `${id} gives no image; templates can name what it gives: ${values.join(', ')}`
}
