/** Where images come from and go to, and which wire cannot be. */
import type { Catalogue } from '../../api/operations.ts'
import type { Operation } from '../../api/types.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { referencesOf } from './references.ts'

/** One wire: from the image of a node to a socket of another, or to the output card. */
export interface Wire {
  source: string
  target: string
  socket: string
  /** Its place in a socket that takes many. */
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

/** All wires to nodes that there are, the one of the output last. */
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

/** Nodes whose values the templates of a node read. */
export function referencedNodes(node: WorkflowNode | WorkflowDocument['output']): string[] {
  const { inputs: _, ...texts } = (node ?? {}) as WorkflowNode
  const names = referencesOf(texts).flatMap(({ kind, name }) => (kind === 'node' ? [name] : []))
  return [...new Set(names)]
}

/** Node -> all that it needs at once, by wire or by template. */
export function dependenciesOf(document: WorkflowDocument): Map<string, string[]> {
  return new Map(
    Object.entries(document.nodes).map(([id, node]) => [
      id,
      [...Object.values(node.inputs ?? {}).flatMap(sourcesOf), ...referencedNodes(node)],
    ]),
  )
}

/** The nodes in an order in which each stands after all that it needs; those of a cycle somewhere. */
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

/** Whether `id` needs `other`, at once or through others. */
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

/** Nodes that give lists of images: by `each`, or because they take a list where one image is taken. */
export function listNodes(document: WorkflowDocument, catalogue: Catalogue): Set<string> {
  const lists = new Set<string>()
  for (const id of topologicalOrder(document)) {
    const { type, each, inputs = {} } = document.nodes[id] ?? { type: '' }
    const takesMany = new Map(catalogue.get(type)?.inputs.map(({ name, many }) => [name, many]))
    const ones = Object.entries(inputs).flatMap(([socket, input]) => (takesMany.get(socket) ? [] : sourcesOf(input)))
    if (each !== undefined || ones.some((source) => lists.has(source))) lists.add(id)
  }
  return lists
}

/** Why this wire cannot be, in words; undefined for one that can. */
export function wireProblem(document: WorkflowDocument, catalogue: Catalogue, wire: Wire): string | undefined {
  const { source, target, socket } = wire
  const from = catalogue.get(document.nodes[source]?.type ?? '')
  if (source === outputId) return 'The output is the end: nothing comes out of it.'
  if (!Object.hasOwn(document.nodes, source)) return `There is no node ${source}.`
  if (from !== undefined && from.outputs.image === null) {
    const [value = 'text'] = Object.keys(from.outputs.values)
    return `${source} gives no image. Use {{ nodes.${source}.${value} }} in a field instead.`
  }
  if (target === outputId)
    return listNodes(document, catalogue).has(source)
      ? `${source} gives a list of images, and the output is one. Choose one of them, or put them together first.`
      : undefined
  const to = catalogue.get(document.nodes[target]?.type ?? '')
  if (to !== undefined && !to.inputs.some(({ name }) => name === socket))
    return to.inputs.length === 0 ? `${to.title} takes no image.` : `${to.title} has no socket ${socket}.`
  if (source === target) return `${source} cannot take its own image.`
  if (dependsOn(document, source, target)) return `${source} already comes from ${target}: that would be a circle.`
  return undefined
}

/** The socket of `target` that fits a new wire best: one that is required and free, then any free one, then one of many. */
export function freeSocket(document: WorkflowDocument, catalogue: Catalogue, target: string): string | undefined {
  if (target === outputId) return outputSocket
  const { type, inputs = {} } = document.nodes[target] ?? { type: '' }
  const sockets = catalogue.get(type)?.inputs ?? []
  const free = sockets.filter(({ name, many }) => many || sourcesOf(inputs[name]).length === 0)
  return (free.find(({ required }) => required) ?? free[0])?.name
}
