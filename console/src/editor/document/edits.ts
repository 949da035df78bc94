/**
 * What is done to nodes and wires, as recipes for `editor.change`: they change the document that they are given. None
 * leaves a wire to a node that is not there.
 */
import type { Catalogue } from '../../api/operations.ts'
import type { WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import type { Point } from './geometry.ts'
import { removePlaces, setPlaces } from './layout.ts'
import { mapTexts, renameIn } from './references.ts'
import { outputId, sourcesOf, type Wire, wiresOf } from './wires.ts'

export interface NewNode extends Partial<WorkflowNode> {
  type: string
  /** Wanted; another one where it is taken. */
  id?: string
  at?: Point | undefined
}

const idPattern = /^[a-z][a-z0-9_-]{0,63}$/

/** `preferred`, or `wanted-2`, `wanted-3`, ... where it is taken. */
export function freeId(document: WorkflowDocument, preferred: string): string {
  const stem = /^[a-z]/.test(preferred) ? preferred.replace(/[^a-z0-9_-]/g, '-').slice(0, 60) : 'node'
  if (!Object.hasOwn(document.nodes, stem)) return stem
  const root = stem.replace(/-\d+$/, '')
  let count = 2
  while (Object.hasOwn(document.nodes, `${root}-${count}`)) count++
  return `${root}-${count}`
}

/** Gives its id. */
export function addNode(document: WorkflowDocument, { id, at, ...node }: NewNode): string {
  const free = freeId(document, id ?? node.type)
  document.nodes[free] = node
  if (at !== undefined) setPlaces(document, [[free, at]])
  return free
}

/** The one that was there is replaced; in a socket that takes many (`isMany`) it is put at its index, or at the end. */
export function connect(document: WorkflowDocument, { source, target, socket, index }: Wire, isMany: boolean): void {
  if (target === outputId) {
    document.output = { ...document.output, node: source }
    return
  }
  const node = document.nodes[target]
  if (node === undefined || !Object.hasOwn(document.nodes, source)) return
  const inputs = { ...node.inputs }
  const before = sourcesOf(inputs[socket])
  inputs[socket] = isMany ? before.toSpliced(index ?? before.length, 0, source) : source
  node.inputs = inputs
}

export function disconnect(document: WorkflowDocument, wire: Wire): void {
  setWireSource(document, wire, undefined)
}

/** The wire goes to another source, where it was. */
export function moveWire(document: WorkflowDocument, wire: Wire, source: string): void {
  setWireSource(document, wire, source)
}

/** `wire` leads through `id` from now on: into this socket of it, and out of it. */
export function insertOnWire(
  document: WorkflowDocument,
  wire: Wire,
  id: string,
  socket: string,
  isMany: boolean,
): void {
  connect(document, { source: wire.source, target: id, socket }, isMany)
  setWireSource(document, wire, id)
}

/** `bridge`: what followed them takes what they took first, so that the flow goes on. */
export function removeNodes(
  document: WorkflowDocument,
  ids: readonly string[],
  { bridge = false, catalogue }: { bridge?: boolean; catalogue?: Catalogue } = {},
): void {
  const removed = new Set(ids.filter((id) => id !== outputId))
  const through = (id: string | undefined, passed = 0): string | undefined => {
    if (id === undefined || !removed.has(id)) return id
    if (!bridge || passed > removed.size) return undefined
    return through(firstSource(document, id, catalogue), passed + 1)
  }
  for (const wire of wiresOf(document).toReversed())
    if (removed.has(wire.source) && !removed.has(wire.target)) setWireSource(document, wire, through(wire.source))
  for (const id of removed) delete document.nodes[id]
  removePlaces(document, removed)
}

/** With every wire, template, and its place. Gives why it cannot be; undefined when it is done. */
export function renameNode(document: WorkflowDocument, from: string, to: string): string | undefined {
  if (from === to || !Object.hasOwn(document.nodes, from)) return undefined
  const problem = nodeIdProblem(document, to)
  if (problem !== undefined) return problem
  const named = (id: string) => (id === from ? to : id)
  const renamed = Object.entries(document.nodes).map(([id, node]): [string, WorkflowNode] => {
    const { inputs, ...texts } = node
    const renamedTexts = mapTexts(texts, (text) => renameIn(text, 'node', from, to))
    return [named(id), inputs === undefined ? renamedTexts : { ...renamedTexts, inputs: mapSources(inputs, named) }]
  })
  document.nodes = Object.fromEntries(renamed)
  if (document.output !== undefined) {
    const { node, ...settings } = document.output
    const renamedTexts = mapTexts(settings, (text) => renameIn(text, 'node', from, to))
    document.output = node === undefined ? renamedTexts : { node: named(node), ...renamedTexts }
  }
  const layout = document.layout as Record<string, unknown> | undefined
  if (typeof layout === 'object' && layout !== null && Object.hasOwn(layout, from)) {
    layout[to] = layout[from]
    delete layout[from]
  }
  return undefined
}

/** Why a node cannot be called so; undefined when it can. */
export function nodeIdProblem(document: WorkflowDocument, id: string): string | undefined {
  if (!idPattern.test(id)) return 'An id is a letter a-z, then a-z, 0-9, _ and -, at most 64.'
  return Object.hasOwn(document.nodes, id) ? `There is a node ${id} already.` : undefined
}

/** Copies with new ids, wired among each other as these are, and to the rest as these are. Gives old id -> new id. */
export function duplicateNodes(document: WorkflowDocument, ids: readonly string[], places: ReadonlyMap<string, Point>) {
  const originals = Object.fromEntries(
    ids.flatMap((id) => (document.nodes[id] === undefined ? [] : [[id, document.nodes[id]] as const])),
  )
  return addCopies(document, originals, places)
}

/** Nodes of here or elsewhere under free ids. Wires to what there is not are left out. Gives old id -> new id. */
export function addCopies(
  document: WorkflowDocument,
  nodes: Readonly<Record<string, WorkflowNode>>,
  places: ReadonlyMap<string, Point>,
): Map<string, string> {
  const names = new Map<string, string>()
  for (const [id, node] of Object.entries(nodes)) names.set(id, addNode(document, { id, type: node.type }))
  const named = (id: string) => names.get(id) ?? (Object.hasOwn(document.nodes, id) ? id : undefined)
  for (const [id, { inputs, ...texts }] of Object.entries(nodes)) {
    const copy: WorkflowNode = mapTexts(texts, (text) => renameAll(text, names))
    const wired = inputs === undefined ? {} : mapSources(inputs, named)
    if (Object.keys(wired).length > 0) copy.inputs = wired
    document.nodes[names.get(id) ?? id] = copy
  }
  const placed = [...places].flatMap(([id, place]) => {
    const name = names.get(id)
    return name === undefined ? [] : [[name, place] as const]
  })
  if (placed.length > 0) setPlaces(document, placed)
  return names
}

/** In two steps, so that a new name that is another's old one is not renamed twice. */
function renameAll(text: string, names: ReadonlyMap<string, string>): string {
  const changed = [...names].filter(([from, to]) => from !== to)
  const aside = changed.reduce(
    (renamedTexts, [from], index) => renameIn(renamedTexts, 'node', from, `aside_${index}_`),
    text,
  )
  return changed.reduce((renamedTexts, [, to], index) => renameIn(renamedTexts, 'node', `aside_${index}_`, to), aside)
}

function mapSources(
  inputs: Readonly<Record<string, string | string[]>>,
  named: (id: string) => string | undefined,
): Record<string, string | string[]> {
  const mapped = Object.entries(inputs).flatMap(([socket, input]): [string, string | string[]][] => {
    const sources = sourcesOf(input).flatMap((id) => named(id) ?? [])
    const [first] = sources
    if (first === undefined) return []
    return [[socket, Array.isArray(input) ? sources : first]]
  })
  return Object.fromEntries(mapped)
}

/** What a node takes first, in its operation's order of sockets. */
function firstSource(document: WorkflowDocument, id: string, catalogue: Catalogue | undefined): string | undefined {
  const { type, inputs = {} } = document.nodes[id] ?? { type: '' }
  const sockets = catalogue?.get(type)?.inputs.map(({ name }) => name) ?? []
  return [...sockets, ...Object.keys(inputs)].flatMap((socket) => sourcesOf(inputs[socket]))[0]
}

/** Another source for a wire that there is; undefined takes it away. */
function setWireSource(document: WorkflowDocument, { target, socket, index }: Wire, source: string | undefined): void {
  if (target === outputId) {
    if (document.output === undefined) return
    const { node: _, ...settings } = document.output
    document.output = source === undefined ? settings : { node: source, ...settings }
    return
  }
  const node = document.nodes[target]
  if (node?.inputs === undefined) return
  const before = sourcesOf(node.inputs[socket])
  const list = index === undefined ? [] : before.toSpliced(index, 1, ...(source === undefined ? [] : [source]))
  const next = index === undefined ? source : list.length > 0 ? list : undefined
  const { [socket]: _, ...others } = node.inputs
  if (next !== undefined) node.inputs[socket] = next
  else if (Object.keys(others).length > 0) node.inputs = others
  else delete node.inputs
}
