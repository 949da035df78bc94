/**
 * The document as React Flow needs it. Unchanged nodes stay the same objects, so that moving one card renders one card.
 */
import type { Edge, Node } from '@xyflow/react'
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import type { Point } from '../document/geometry.ts'
import { type Note, notesOf } from '../document/notes.ts'
import {
  listNodes,
  nodesReadByOutputs,
  outputId,
  outputSocket,
  outputWords,
  referencedNodes,
  type SocketKind,
  socketKind,
  sourcesOf,
  sourceText,
  topologicalOrder,
  type Wire,
  wiresOf,
} from '../document/wires.ts'

export type CardNode = Node<Record<string, never>, 'operation' | 'result' | 'note'>
export type WireEdge = Edge<{ kind: SocketKind | 'reference'; wire: Wire }, 'wire'>

/** The handle of a node's image. */
export const imageHandle = 'image'
const namedPrefix = 'output.'

/** The handle of an output of a node. */
export function outputHandle(output: string | undefined): string {
  return output === undefined ? imageHandle : `${namedPrefix}${output}`
}

/** The source of a wire from this handle of a node; undefined for handles that start no wire. */
export function sourceAt(
  source: string,
  handle: string | null | undefined,
): Pick<Wire, 'source' | 'output'> | undefined {
  if (handle === imageHandle) return { source }
  return handle?.startsWith(namedPrefix) ? { source, output: handle.slice(namedPrefix.length) } : undefined
}

/** Hidden handles, for the edges of templates. */
export const valuesHandle = '$values'
export const readsHandle = '$reads'

const noData = {}

export function flowNodes(
  before: readonly CardNode[],
  document: WorkflowDocument,
  catalogue: Catalogue,
  positions: ReadonlyMap<string, Point>,
  selection: readonly string[],
): CardNode[] {
  const known = new Map(before.map((node) => [node.id, node]))
  const selected = new Set(selection)
  const order = topologicalOrder(document)
  const ids = order.length === 0 ? [] : [...order, outputId]
  const notes = [...notesOf(document)].map(([id, note]) => noteNode(known.get(id), id, note, selected.has(id)))
  const cards = ids.map((id): CardNode => {
    const last = known.get(id)
    return reuseNode(last, {
      ...last,
      id,
      type: id === outputId ? 'result' : 'operation',
      data: noData,
      position: (last?.dragging ? last.position : positions.get(id)) ?? { x: 0, y: 0 },
      selected: selected.has(id),
      ariaLabel: labelOf(document, catalogue, id),
    })
  })
  const nodes = [...notes, ...cards]
  return nodes.length === before.length && nodes.every((node, index) => node === before[index])
    ? (before as CardNode[])
    : nodes
}

/** Depth below all cards and wires, even while it is selected: React Flow then adds 1000. */
const noteDepth = -1500

function noteNode(last: CardNode | undefined, id: string, { at, size, text }: Note, selected: boolean): CardNode {
  return reuseNode(last, {
    ...last,
    id,
    type: 'note',
    data: noData,
    position: last?.dragging ? last.position : at,
    ...(last?.resizing ? {} : size),
    zIndex: noteDepth,
    selected,
    ariaLabel: `Note. ${text}`,
  })
}

function reuseNode(last: CardNode | undefined, next: CardNode): CardNode {
  const isUnchanged =
    last !== undefined &&
    last.selected === next.selected &&
    last.ariaLabel === next.ariaLabel &&
    last.position.x === next.position.x &&
    last.position.y === next.position.y &&
    last.width === next.width &&
    last.height === next.height
  return isUnchanged ? last : next
}

/** Such as `cover, Resize. image from photo`. */
function labelOf(document: WorkflowDocument, catalogue: Catalogue, id: string): string {
  if (id === outputId)
    return `Output. ${document.output?.node === undefined ? 'No image' : `From ${document.output.node}`}`
  const node = document.nodes[id] ?? { type: '' }
  const { type, inputs = {} } = node
  const wires = Object.entries(inputs).map(([socket, input]) => `${socket} from ${sourcesOf(input).join(' and ')}`)
  return `${id}, ${operationOf(catalogue, node)?.title ?? type}${wires.length > 0 ? `. ${wires.join(', ')}` : ''}`
}

export function flowEdges(
  before: readonly WireEdge[],
  document: WorkflowDocument,
  catalogue: Catalogue,
  selectedWires: readonly string[],
): WireEdge[] {
  const known = new Map(before.map((edge) => [edge.id, edge]))
  const selected = new Set(selectedWires)
  const lists = listNodes(document, catalogue)
  const reuse = (edge: WireEdge): WireEdge => {
    const last = known.get(edge.id)
    const isUnchanged =
      last?.selected === edge.selected &&
      last?.data?.kind === edge.data?.kind &&
      last?.sourceHandle === edge.sourceHandle
    return isUnchanged && last !== undefined ? last : edge
  }
  const wires = wiresOf(document).map((wire) => {
    const id = wireId(wire)
    const operation = operationOf(catalogue, document.nodes[wire.target])
    const socket = operation?.inputs.find(({ name }) => name === wire.socket)
    const kind = lists.has(wire.source) ? 'list' : socket === undefined ? 'image' : socketKind(socket)
    return reuse({
      id,
      type: 'wire',
      source: wire.source,
      target: wire.target,
      sourceHandle: outputHandle(wire.output),
      targetHandle: wire.socket,
      data: { kind, wire },
      selected: selected.has(id),
      ariaLabel: `Wire from ${sourceText(wire)} to ${wire.target === outputId ? outputWords(wire.socket) : `${wire.socket} of ${wire.target}`}`,
    })
  })
  const readers = Object.entries(document.nodes).map(([id, node]) => [id, referencedNodes(node)] as const)
  const references = [...readers, [outputId, nodesReadByOutputs(document)] as const].flatMap(([target, read]) =>
    read
      .filter((source) => Object.hasOwn(document.nodes, source) && source !== target)
      .map((source) =>
        reuse({
          id: `read:${source}>${target}`,
          type: 'wire',
          source,
          target,
          sourceHandle: valuesHandle,
          targetHandle: readsHandle,
          data: { kind: 'reference', wire: { source, target, socket: outputSocket } },
          selected: false,
          selectable: false,
          deletable: false,
          reconnectable: false,
          ariaLabel: `A template of ${target === outputId ? 'the output' : target} reads ${source}`,
        }),
      ),
  )
  const edges = [...references, ...wires]
  return edges.length === before.length && edges.every((edge, index) => edge === before[index])
    ? (before as WireEdge[])
    : edges
}

export function wireId({ source, target, socket, index }: Wire): string {
  return `${source}>${target}.${socket}${index === undefined ? '' : `.${index}`}`
}
