/** Wires: the connections between nodes, and the rules for them. */
import { findLists } from '../../../../shared/lists.ts'
import { partsOfWire } from '../../../../shared/names.ts'
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { Operation } from '../../api/types.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { referencesOf } from './references.ts'

/** A connection from the image of a node to a socket of another node or of the output card. */
export interface Wire {
  source: string
  /** The named output of the source, which uses a workflow. */
  output?: string
  target: string
  socket: string
  /** The index in a socket that takes many. */
  index?: number
}

/** The id of the output card in the selection and the layout. Not a valid node id, because a node may be called `output`. */
export const outputId = '$output'

/** The socket of the primary output on the output card. */
export const outputSocket = 'image'

const namedPrefix = 'outputs.'

/** The socket of a named output on the output card. A name has no dot, so this is never `outputSocket`. */
export function namedSocket(name: string): string {
  return `${namedPrefix}${name}`
}

/** The name of the output at a socket of the output card; undefined for the primary output. */
export function outputNameOf(socket: string): string | undefined {
  return socket.startsWith(namedPrefix) ? socket.slice(namedPrefix.length) : undefined
}

/** The output at a socket, for messages. */
export function outputWords(socket: string): string {
  const name = outputNameOf(socket)
  return name === undefined ? 'the output' : `the output ${name}`
}

export type SocketKind = 'image' | 'list' | 'mask' | 'optional'

export function socketKind({ name, many, mask, required }: Operation['inputs'][number]): SocketKind {
  if (many) return 'list'
  if (mask || name === 'hald') return 'mask'
  return required ? 'image' : 'optional'
}

export function sourcesOf(input: string | readonly string[] | undefined): readonly string[] {
  return input === undefined ? [] : typeof input === 'string' ? [input] : input
}

/** All wires between existing nodes. Those of the outputs are last, the primary one first. */
export function wiresOf(document: WorkflowDocument): Wire[] {
  const inputs = Object.entries(document.nodes).flatMap(([target, node]) =>
    Object.entries(node.inputs ?? {}).map(([socket, input]) => ({ target, socket, input })),
  )
  return [...inputs, ...outputInputs(document)].flatMap(({ target, socket, input }) =>
    sourcesOf(input).flatMap((text, index): Wire[] => {
      const from = sourceOf(text)
      if (!Object.hasOwn(document.nodes, from.source)) return []
      return [{ ...from, target, socket, ...(typeof input === 'string' ? {} : { index }) }]
    }),
  )
}

/** The source of a wire in the document: `card`, or `card.story` for a named output. */
export function sourceText({ source, output }: { source: string; output?: string | undefined }): string {
  return output === undefined ? source : `${source}.${output}`
}

/** The source that a text of the document names. */
export function sourceOf(text: string): Pick<Wire, 'source' | 'output'> {
  const { node: source, output } = partsOfWire(text)
  return output === undefined ? { source } : { source, output }
}

/** The outputs of a node that wires can start from, the primary one first. */
export function sourcesOfNode(
  document: WorkflowDocument,
  catalogue: Catalogue,
  id: string,
): Pick<Wire, 'source' | 'output'>[] {
  const named = operationOf(catalogue, document.nodes[id])?.namedOutputs ?? []
  return [{ source: id }, ...named.map((output) => ({ source: id, output }))]
}

/** The nodes of an input. */
export function nodesOf(input: string | readonly string[] | undefined): string[] {
  return sourcesOf(input).map((source) => partsOfWire(source).node)
}

interface SocketInput {
  target: string
  socket: string
  input: string | string[] | undefined
}

/** The sockets of the output card, the primary output first. */
export function outputInputs({ output, outputs = {} }: WorkflowDocument): SocketInput[] {
  const named = Object.entries(outputs).map(([name, { node }]) => ({ socket: namedSocket(name), input: node }))
  return [{ socket: outputSocket, input: output?.node }, ...named].map((entry) => ({ target: outputId, ...entry }))
}

/** Whether an output takes the images of several nodes, or a list: as the pages of a PDF. */
export function takesManyImages(document: WorkflowDocument, socket: string): boolean {
  const name = outputNameOf(socket)
  return name !== undefined && document.outputs?.[name]?.format === 'pdf'
}

/** The nodes whose values the templates of a node read. */
export function referencedNodes(node: WorkflowNode): string[] {
  const { inputs: _, ...texts } = node
  return nodesReadBy(texts)
}

/** The nodes whose values the templates of the outputs read. */
export function nodesReadByOutputs({ output, outputs }: WorkflowDocument): string[] {
  return nodesReadBy([output, outputs])
}

function nodesReadBy(texts: unknown): string[] {
  const names = referencesOf(texts).flatMap(({ kind, name }) => (kind === 'node' ? [name] : []))
  return [...new Set(names)]
}

/** Node -> its direct dependencies, by wire and by template. */
export function dependenciesOf(document: WorkflowDocument): Map<string, string[]> {
  return new Map(
    Object.entries(document.nodes).map(([id, node]) => [
      id,
      [...Object.values(node.inputs ?? {}).flatMap(nodesOf), ...referencedNodes(node)],
    ]),
  )
}

/** The nodes in an order with dependencies first. Nodes of a cycle can be anywhere. */
export function topologicalOrder(document: WorkflowDocument): string[] {
  const needs = dependenciesOf(document)
  const order = new Set<string>()
  const seen = new Set<string>()
  const visit = (id: string) => {
    if (seen.has(id) || !needs.has(id)) return
    seen.add(id)
    for (const need of needs.get(id) ?? []) visit(need)
    order.add(id)
  }
  for (const id of needs.keys()) visit(id)
  return [...order]
}

/** Whether `id` depends on `other`, directly or indirectly. */
export function dependsOn(document: WorkflowDocument, id: string, other: string): boolean {
  const needs = dependenciesOf(document)
  const seen = new Set<string>()
  const ahead = [id]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (next === other) return true
    if (seen.has(next)) continue
    seen.add(next)
    ahead.push(...(needs.get(next) ?? []))
  }
  return false
}

/** The nodes that output a list of images: because of `each`, or because a socket for one image gets a list. */
export function listNodes(document: WorkflowDocument, catalogue: Catalogue): Set<string> {
  return new Set(listOrigins(document, catalogue).keys())
}

/** Each of them -> the nodes with `each` that its list comes from. */
export function listOrigins(document: WorkflowDocument, catalogue: Catalogue): Map<string, ReadonlySet<string>> {
  return findLists(topologicalOrder(document), (id) => {
    const node = document.nodes[id]
    const { each, inputs = {} } = node ?? {}
    const takesMany = new Map(operationOf(catalogue, node)?.inputs.map(({ name, many }) => [name, many]))
    const ones = Object.entries(inputs).flatMap(([socket, input]) => (takesMany.get(socket) ? [] : nodesOf(input)))
    return { hasEach: each !== undefined, sourcesOfOne: ones }
  })
}

/** Why a wire is not possible; undefined if it is. */
export function wireProblem(document: WorkflowDocument, catalogue: Catalogue, wire: Wire): string | undefined {
  const { source, output, target, socket } = wire
  const from = operationOf(catalogue, document.nodes[source])
  if (source === outputId) return 'The output is the last node: it can’t be connected to another node.'
  if (!Object.hasOwn(document.nodes, source)) return `The node ${source} doesn't exist.`
  if (from !== undefined && from.outputs.image === null) {
    const [value = 'text'] = Object.keys(from.outputs.values)
    return `${source} doesn’t return an image. Use {{ nodes.${source}.${value} }} in a field instead.`
  }
  if (output !== undefined && from !== undefined && !from.namedOutputs?.includes(output))
    return `${source} has no output ${output}.`
  if (target === outputId)
    return listNodes(document, catalogue).has(source) && !takesManyImages(document, socket)
      ? `${source} returns a list of images, but the output is one image. Pick one of the images, or combine them first.`
      : undefined
  const to = operationOf(catalogue, document.nodes[target])
  if (to !== undefined && !to.inputs.some(({ name }) => name === socket))
    return to.inputs.length === 0
      ? `${to.title} doesn’t accept an image.`
      : `${to.title} doesn’t have an input ${socket}.`
  if (source === target) return `${source} can’t use its own image.`
  if (dependsOn(document, source, target))
    return `${source} already depends on ${target}: this wire would create a cycle.`
  return undefined
}

/**
 * The socket that fits a new wire best: a free required socket, then any free socket, then a socket that takes many.
 */
export function freeSocket(document: WorkflowDocument, catalogue: Catalogue, target: string): string | undefined {
  if (target === outputId) {
    const free = outputInputs(document).find((entry) => sourcesOf(entry.input).length === 0)
    return (free ?? { socket: outputSocket }).socket
  }
  const node = document.nodes[target]
  const { inputs = {} } = node ?? {}
  const sockets = operationOf(catalogue, node)?.inputs ?? []
  const free = sockets.filter(({ name, many }) => many || sourcesOf(inputs[name]).length === 0)
  return (free.find(({ required }) => required) ?? free[0])?.name
}
