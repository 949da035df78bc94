/** The images and values that cross the boundary of selected nodes, and the reasons why the nodes can't be a workflow. */
import { type Catalogue, operationOf, workflowType } from '../../api/operations.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { type Reference, referencesOf } from './references.ts'
import {
  dependenciesOf,
  listOrigins,
  nodesOf,
  outputId,
  outputSocket,
  sourceText,
  topologicalOrder,
  type Wire,
  wiresOf,
} from './wires.ts'

/** The image of a node, or a named output of a node that uses a workflow. */
export type Source = Pick<Wire, 'source' | 'output'>

export interface Boundary {
  /** The images from outside, each once. */
  inputs: Source[]
  /** The images that are read outside, each once. The first one is the primary output. */
  outputs: Source[]
}

interface Problem {
  problem: string
}

/** The values that templates can read from a node that uses a workflow. */
const imageValues = new Set(['width', 'height', 'format'])

export function findBoundary(
  document: WorkflowDocument,
  selected: ReadonlySet<string>,
  catalogue: Catalogue,
): Boundary | Problem {
  if (selected.size === 0) return { problem: 'No node is selected. Select the nodes that the workflow will have.' }
  const wires = wiresOf(document)
  const incoming = wires.filter(({ source, target }) => !selected.has(source) && selected.has(target))
  const value = valueOutside(document, selected)
  if (typeof value === 'object') return value
  const outgoing = [
    ...(value === undefined ? [] : [{ source: value, target: outputId, socket: '' }]),
    ...wires.filter(({ source, target }) => selected.has(source) && !selected.has(target)),
  ]
  const problem =
    roundTrip(document, selected) ??
    foreignReference(document, selected) ??
    (outgoing.length === 0
      ? 'No other node and no output reads the selection, so the workflow would have no output. Connect the last node first.'
      : undefined) ??
    optionalImage(document, { incoming, outgoing, catalogue }) ??
    listProblem(document, selected, { incoming, outgoing, catalogue })
  if (problem !== undefined) return { problem }
  return { inputs: distinct(incoming), outputs: primaryFirst(document, outgoing, value) }
}

function distinct(wires: readonly Wire[]): Source[] {
  const sources = wires.map(({ source, output }) => ({ source, ...(output === undefined ? {} : { output }) }))
  return [...new Map(sources.map((source) => [sourceText(source), source])).values()]
}

/** The primary output: the node whose values are read, the image of the primary output, or the last image. */
function primaryFirst(document: WorkflowDocument, outgoing: readonly Wire[], value: string | undefined): Source[] {
  const order = topologicalOrder(document)
  const places = new Map(order.map((id, place) => [id, place]))
  const placeOf = (wire: Wire) => {
    if (wire.source === value && wire.output === undefined) return order.length + 1
    const isShown = wire.target === outputId && wire.socket === outputSocket
    return isShown ? order.length : (places.get(wire.source) ?? -1)
  }
  return distinct(outgoing.toSorted((a, b) => placeOf(b) - placeOf(a)))
}

/** The only selected node whose values are read outside; a problem if there are several, or if a value isn't of its image. */
function valueOutside(document: WorkflowDocument, selected: ReadonlySet<string>): string | Problem | undefined {
  const { output, outputs } = document
  const readers: [string, unknown][] = Object.entries(document.nodes).filter(([id]) => !selected.has(id))
  const read = new Set<string>()
  for (const [reader, texts] of [...readers, ['The output', [output, outputs]] as const])
    for (const reference of referencesOf(texts)) {
      if (reference.kind !== 'node' || !selected.has(reference.name)) continue
      const { name, value = '' } = reference
      if (!imageValues.has(value))
        return {
          problem: `${reader} reads nodes.${name}.${value}, but only the width, height and format of a workflow’s image can be read. Select ${reader === 'The output' ? `fewer nodes, without ${name}` : `${reader}, too`}.`,
        }
      read.add(name)
    }
  const [first, second] = read
  if (first !== undefined && second !== undefined)
    return {
      problem: `Values of ${first} and of ${second} are read outside of the selection, but only values of one image can be read. Select the nodes that read them, too.`,
    }
  return first
}

/** Values of nodes outside, and items of lists outside. */
function foreignReference(document: WorkflowDocument, selected: ReadonlySet<string>): string | undefined {
  for (const id of selected) {
    const { inputs: _, ...texts } = document.nodes[id] as WorkflowNode
    const isForeign = (reference: Reference) => reference.kind === 'node' && !selected.has(reference.name)
    const foreign = referencesOf(texts).find(isForeign)
    if (foreign !== undefined)
      return `${id} reads a value of ${foreign.name}, which isn’t selected. A workflow can’t read values of other nodes: select ${foreign.name}, too.`
  }
  return undefined
}

/** A path that leaves the selection and enters it again: the workflow would need its own result. */
function roundTrip(document: WorkflowDocument, selected: ReadonlySet<string>): string | undefined {
  const needs = dependenciesOf(document)
  const after = new Set<string>()
  for (const id of topologicalOrder(document)) {
    const read = needs.get(id) ?? []
    const between = read.find((need) => after.has(need))
    if (selected.has(id)) {
      if (between !== undefined)
        return `${between} is between selected nodes: it reads the selection, and ${id} reads it. Select ${between}, too.`
    } else if (between !== undefined || read.some((need) => selected.has(need))) after.add(id)
  }
  return undefined
}

interface Crossing {
  incoming: readonly Wire[]
  outgoing: readonly Wire[]
  catalogue: Catalogue
}

/** An image that may be missing because of `when`: the parameters and the outputs of a workflow always have one. */
function optionalImage(document: WorkflowDocument, { incoming, outgoing, catalogue }: Crossing): string | undefined {
  const optional = nodesWithOptionalImage(document, catalogue)
  const input = incoming.find(({ source }) => optional.has(source))
  if (input !== undefined)
    return `${input.source} may have no image because of “when”, but ${input.target} would get it as a parameter of the workflow. Select ${input.source}, too.`
  const output = outgoing.find(({ source }) => optional.has(source))
  if (output === undefined) return undefined
  const next =
    output.target === outputId ? `Leave out ${output.source}.` : `Select ${output.target}, which reads it, too.`
  return `${output.source} may have no image because of “when”, but each output of a workflow has one. ${next}`
}

/** A workflow runs once for each image of a list from outside, and gives one image each time. */
function listProblem(
  document: WorkflowDocument,
  selected: ReadonlySet<string>,
  { incoming, outgoing, catalogue }: Crossing,
): string | undefined {
  const lists = listOrigins(document, catalogue)
  const originOf = (id: string, isSelected: boolean) =>
    [...(lists.get(id) ?? [])].find((origin) => selected.has(origin) === isSelected)
  for (const { source } of outgoing) {
    const origin = originOf(source, true)
    if (origin !== undefined)
      return `${source} returns a list of images because of “each” of ${origin}, but the output of a workflow is one image. Select also the node that combines them.`
  }
  for (const id of selected) {
    const origin = originOf(id, false)
    const { each, inputs: _, ...texts } = document.nodes[id] as WorkflowNode
    if (origin === undefined) continue
    const isItem = (reference: Reference) =>
      reference.kind === 'parameter' && (reference.name === 'item' || reference.name === 'index')
    if (each !== undefined)
      return `${id} has “each” and reads the list of ${origin}, which isn’t selected. Select ${origin}, too.`
    if (referencesOf(texts).some(isItem))
      return `${id} reads an item of “each” of ${origin}, which isn’t selected. Select ${origin}, too.`
  }
  for (const { source, target, socket } of wiresOf(document).filter((wire) => selected.has(wire.target))) {
    const sockets = operationOf(catalogue, document.nodes[target])?.inputs ?? []
    const origin = sockets.some(({ name, many }) => many && name === socket) ? originOf(source, false) : undefined
    if (origin !== undefined)
      return `${target} combines the images of ${origin} at ${socket}, but a workflow gets one image at a time. Select ${origin}, too, or leave out ${target}.`
  }
  const listed = incoming.find(({ source }) => lists.has(source))
  const single = listed && outgoing.find(({ source }) => originOf(source, false) === undefined)
  return (
    single &&
    `${single.source} is one image, but ${listed.source} is a list, and the workflow would run once for each of its images. Leave out ${single.source}.`
  )
}

/** The operation that passes on one of its images. */
const choosing = 'choose'

/**
 * The nodes that may have no image, as on the service: nodes that may be skipped (by their `when`, or because a required input
 * may be empty) and whose first input may be empty too.
 */
function nodesWithOptionalImage(document: WorkflowDocument, catalogue: Catalogue): Set<string> {
  const optional = new Set<string>()
  for (const id of topologicalOrder(document)) {
    const node = document.nodes[id]
    if (node === undefined) continue
    const { inputs = {}, when = true, type } = node
    const required = (operationOf(catalogue, node)?.inputs ?? []).filter((socket) => socket.required)
    const sources = Object.values(inputs).flatMap(nodesOf)
    const isStarved = required.some(({ name }) => {
      const wired = nodesOf(inputs[name])
      return wired.length > 0 && wired.every((source) => optional.has(source))
    })
    const needsAll = type === choosing || type === workflowType
    const isSkipped = when !== true || isStarved
    const [first] = sources
    if (needsAll && sources.some((source) => optional.has(source))) optional.add(id)
    if (isSkipped && (first === undefined || optional.has(first))) optional.add(id)
  }
  return optional
}
