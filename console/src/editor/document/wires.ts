/** Wires: the connections between nodes, and the rules for them. */
import { findLists } from '../../../../shared/lists.ts'
import type { Catalogue } from '../../api/operations.ts'
import type { Operation } from '../../api/types.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { referencesOf } from './references.ts'

/** From the image of a node to a socket of another node or of the output card. */
export interface Wire {
  source: string
  target: string
  socket: string
  /** The index in a socket that takes many. */
  index?: number
}

/** The id of the output card in the selection and the layout. Not a valid node id, because a node may be called `output`. */
export const outputId = '$output'

/** The only socket of the output card. */
export const outputSocket = 'image'

export type SocketKind = 'image' | 'list' | 'mask' | 'optional'

export function socketKind({ name, many, required }: Operation['inputs'][number]): SocketKind {
  if (many) return 'list'
  if (name === 'mask' || name === 'hald') return 'mask'
  return required ? 'image' : 'optional'
}

export function sourcesOf(input: string | readonly string[] | undefined): readonly string[] {
  return input === undefined ? [] : typeof input === 'string' ? [input] : input
}

/** All wires between existing nodes. The wire of the output is last. */
export function wiresOf(document: WorkflowDocument): Wire[] {
  const wires: Wire[] = []
  for (const [target, { inputs = {} }] of Object.entries(document.nodes))
    for (const [socket, input] of Object.entries(inputs))
      for (const [index, source] of sourcesOf(input).entries())
        if (Object.hasOwn(document.nodes, source))
          wires.push({ source, target, socket, ...(typeof input === 'string' ? {} : { index }) })
  const { node } = document.output ?? {}
  if (node !== undefined && Object.hasOwn(document.nodes, node))
    wires.push({ source: node, target: outputId, socket: outputSocket })
  return wires
}

/** The nodes whose values the templates of a node read. */
export function referencedNodes(node: WorkflowNode | WorkflowDocument['output']): string[] {
  const { inputs: _, ...texts } = (node ?? {}) as WorkflowNode
  const names = referencesOf(texts).flatMap(({ kind, name }) => (kind === 'node' ? [name] : []))
  return [...new Set(names)]
}

/** Node -> its direct dependencies, by wire and by template. */
export function dependenciesOf(document: WorkflowDocument): Map<string, string[]> {
  return new Map(
    Object.entries(document.nodes).map(([id, node]) => [
      id,
      [...Object.values(node.inputs ?? {}).flatMap(sourcesOf), ...referencedNodes(node)],
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
    const { type, each, inputs = {} } = document.nodes[id] ?? { type: '' }
    const takesMany = new Map(catalogue.get(type)?.inputs.map(({ name, many }) => [name, many]))
    const ones = Object.entries(inputs).flatMap(([socket, input]) => (takesMany.get(socket) ? [] : sourcesOf(input)))
    return { hasEach: each !== undefined, sourcesOfOne: ones }
  })
}

/** Why a wire is not possible; undefined if it is. */
export function wireProblem(document: WorkflowDocument, catalogue: Catalogue, wire: Wire): string | undefined {
  const { source, target, socket } = wire
  const from = catalogue.get(document.nodes[source]?.type ?? '')
  if (source === outputId) return 'The output is the last node: it can’t be connected to another node.'
  if (!Object.hasOwn(document.nodes, source)) return `The node ${source} doesn't exist.`
  if (from !== undefined && from.outputs.image === null) {
    const [value = 'text'] = Object.keys(from.outputs.values)
    return `${source} doesn’t return an image. Use {{ nodes.${source}.${value} }} in a field instead.`
  }
  if (target === outputId)
    return listNodes(document, catalogue).has(source)
      ? `${source} returns a list of images, but the output is one image. Pick one of the images, or combine them first.`
      : undefined
  const to = catalogue.get(document.nodes[target]?.type ?? '')
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
  if (target === outputId) return outputSocket
  const { type, inputs = {} } = document.nodes[target] ?? { type: '' }
  const sockets = catalogue.get(type)?.inputs ?? []
  const free = sockets.filter(({ name, many }) => many || sourcesOf(inputs[name]).length === 0)
  return (free.find(({ required }) => required) ?? free[0])?.name
}
