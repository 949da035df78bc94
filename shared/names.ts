/** Names in a workflow document, as patterns of JSON Schema. */
import { brandName } from './brand.ts'

export const nodeIdPattern = '^[a-z][a-z0-9_-]{0,63}$'
/** The id of a stored image. */
export const imageIdPattern = '^img_[0-9a-z]{28}$'
/** The slug of a workflow, and the name of a channel: parts of URLs. An id has a `_`, so it is never a slug. */
export const slugPattern = '^[a-z][a-z0-9-]{0,62}$'
/** The name of a parameter is a LiquidJS variable name. */
export const parameterNamePattern = '^[A-Za-z][A-Za-z0-9_-]{0,63}$'
/** Names that parameters can't have, and what templates read from them. */
export const reservedParameterNames: ReadonlyMap<string, string> = new Map([
  ['nodes', 'the values of nodes'],
  [brandName, 'brand values'],
])
/** The name of an example is a file name. */
export const exampleNamePattern = '^[a-z0-9][a-z0-9_-]{0,63}$'
/** The name of an output is a part of file names, and of wires to a workflow. */
export const outputNamePattern = nodeIdPattern
/** A workflow that a node uses, in one version: `link-card@7`, or the id of the workflow in place of its slug. */
export const usedWorkflowPattern = '^([a-z][a-z0-9-]{0,62}|wf_[a-z0-9]{1,40})@[1-9][0-9]{0,8}$'
/** The source of a wire: a node, or a named output of a node that uses a workflow. */
export const wirePattern = '^[a-z][a-z0-9_-]{0,63}([.][a-z][a-z0-9_-]{0,63})?$'

/** The node of a wire, and the name of its output: `card.story` is the output `story` of the node `card`. */
export function partsOfWire(wire: string): { node: string; output: string | undefined } {
  const dot = wire.indexOf('.')
  return dot < 0 ? { node: wire, output: undefined } : { node: wire.slice(0, dot), output: wire.slice(dot + 1) }
}
