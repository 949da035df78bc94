/**
 * Edits of nodes and wires, as recipes for `change` of the document store: they change the given document. None leaves
 * a wire to a missing node.
 */
import { nodeIdPattern, partsOfWire } from '../../../../shared/names.ts'
import { type Catalogue, operationOf } from '../../api/operations.ts'
import type { NamedOutput, OutputSettings, WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import type { Point } from './geometry.ts'
import { removePositions, setPositions } from './layout.ts'
import { removeRecords, renameRecords } from './node-records.ts'
import { mapTexts, renameIn, renameSources } from './references.ts'
import { nodesOf, outputId, outputNameOf, sourcesOf, sourceText, type Wire, wiresOf } from './wires.ts'

export interface NewNode extends Partial<WorkflowNode> {
  type: string
  /** The preferred id. If it is taken, a number is added. */
  id?: string
  at?: Point | undefined
}

const idPattern = new RegExp(nodeIdPattern)

/** Returns `preferred`, or `preferred-2`, `preferred-3`, ... if it is taken. */
export function freeId(document: WorkflowDocument, preferred: string): string {
  const stem = /^[a-z]/.test(preferred) ? preferred.replace(/[^a-z0-9_-]/g, '-').slice(0, 60) : 'node'
  if (!Object.hasOwn(document.nodes, stem)) return stem
  const root = stem.replace(/-\d+$/, '')
  let count = 2
  while (Object.hasOwn(document.nodes, `${root}-${count}`)) count++
  return `${root}-${count}`
}

/** Returns the id. */
export function addNode(document: WorkflowDocument, { id, at, ...node }: NewNode): string {
  const free = freeId(document, id ?? node.type)
  document.nodes[free] = node
  if (at !== undefined) setPositions(document, [[free, at]])
  return free
}

/** Replaces the current wire. In a socket that takes many (`isMany`), inserts at the index, or appends. */
export function connect(document: WorkflowDocument, wire: Wire, isMany: boolean): void {
  const { target, socket, index } = wire
  if (target !== outputId && !Object.hasOwn(document.nodes, wire.source)) return
  const source = sourceText(wire)
  changeInput(document, { target, socket }, (input) => {
    const before = sourcesOf(input)
    return isMany ? before.toSpliced(index ?? before.length, 0, source) : source
  })
}

/** Moves a wire in a socket that takes many. */
export function reorderWire(document: WorkflowDocument, wire: Wire, to: number): void {
  const { index = 0 } = wire
  changeInput(document, wire, (input) => sourcesOf(input).toSpliced(index, 1).toSpliced(to, 0, sourceText(wire)))
}

export function disconnect(document: WorkflowDocument, wire: Wire): void {
  setWireSource(document, wire, undefined)
}

/** Changes the source of a wire. */
export function moveWire(document: WorkflowDocument, wire: Wire, source: string): void {
  setWireSource(document, wire, source)
}

/** Inserts the node `id` into a wire, at one of its sockets. */
export function insertOnWire(
  document: WorkflowDocument,
  wire: Wire,
  id: string,
  socket: string,
  isMany: boolean,
): void {
  const { source, output } = wire
  connect(document, { source, ...(output === undefined ? {} : { output }), target: id, socket }, isMany)
  setWireSource(document, wire, id)
}

/** `bridge`: connects the nodes after the removed ones to their first source. */
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
  for (const id of removed) {
    delete document.nodes[id]
    removeRecords(document, id)
  }
  removePositions(document, removed)
}

/** Renames a node in wires, templates and the layout. Returns the problem; undefined if it succeeded. */
export function renameNode(document: WorkflowDocument, from: string, to: string): string | undefined {
  if (from === to || !Object.hasOwn(document.nodes, from)) return undefined
  const problem = nodeIdProblem(document, to)
  if (problem !== undefined) return problem
  const named = (id: string) => (id === from ? to : id)
  const renamed = Object.entries(document.nodes).map(([id, node]): [string, WorkflowNode] => {
    const { inputs, ...texts } = node
    const renamedTexts = mapTexts(texts, (text) =>
      renameIn(renameSources(text, new Map([[from, to]])), 'node', from, to),
    )
    return [named(id), inputs === undefined ? renamedTexts : { ...renamedTexts, inputs: mapSources(inputs, named) }]
  })
  document.nodes = Object.fromEntries(renamed)
  changeOutputs(document, (output) => renamedOutput(output, new Map([[from, to]]), named))
  const layout = document.layout as Record<string, unknown> | undefined
  if (typeof layout === 'object' && layout !== null && Object.hasOwn(layout, from)) {
    layout[to] = layout[from]
    delete layout[from]
  }
  renameRecords(document, from, to)
  return undefined
}

/** Changes the primary output and each named one. */
export function changeOutputs(document: WorkflowDocument, change: (output: NamedOutput) => NamedOutput): void {
  const { output, outputs } = document
  if (output !== undefined) document.output = change(output) as OutputSettings
  if (outputs !== undefined)
    document.outputs = Object.fromEntries(Object.entries(outputs).map(([name, declared]) => [name, change(declared)]))
}

/** Why the id is not possible; undefined if it is. */
export function nodeIdProblem(document: WorkflowDocument, id: string): string | undefined {
  if (!idPattern.test(id))
    return 'An id starts with a letter a-z, followed by a-z, 0-9, _ or -. It has at most 64 characters.'
  return Object.hasOwn(document.nodes, id) ? `A node ${id} already exists.` : undefined
}

/** Copies nodes. Wires between copied nodes connect the copies. Returns old id -> new id. */
export function duplicateNodes(
  document: WorkflowDocument,
  ids: readonly string[],
  positions: ReadonlyMap<string, Point>,
) {
  const originals = Object.fromEntries(
    ids.flatMap((id) => (document.nodes[id] === undefined ? [] : [[id, document.nodes[id]] as const])),
  )
  return addCopies(document, originals, positions)
}

/** Adds nodes under free ids, without wires to missing nodes. Returns old id -> new id. */
export function addCopies(
  document: WorkflowDocument,
  nodes: Readonly<Record<string, WorkflowNode>>,
  positions: ReadonlyMap<string, Point>,
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
  const newPositions = [...positions].flatMap(([id, position]) => {
    const name = names.get(id)
    return name === undefined ? [] : [[name, position] as const]
  })
  if (newPositions.length > 0) setPositions(document, newPositions)
  return names
}

/** An output with the new ids of nodes: old id -> new id. `named`: the new ids of the nodes that it names. */
export function renamedOutput(
  { node, ...settings }: NamedOutput,
  names: ReadonlyMap<string, string>,
  named: (id: string) => string | undefined = (id) => names.get(id),
): NamedOutput {
  const texts = mapTexts(settings, (text) => renameAll(text, names))
  return node === undefined ? texts : { ...mapSources({ node }, named), ...texts }
}

/** Renames in two steps, because a new name can be the old name of another node. */
function renameAll(text: string, names: ReadonlyMap<string, string>): string {
  const changed = [...names].filter(([from, to]) => from !== to)
  const aside = changed.reduce(
    (renamedTexts, [from], index) => renameIn(renamedTexts, 'node', from, `aside_${index}_`),
    renameSources(text, names),
  )
  return changed.reduce((renamedTexts, [, to], index) => renameIn(renamedTexts, 'node', `aside_${index}_`, to), aside)
}

function mapSources(
  inputs: Readonly<Record<string, string | string[]>>,
  named: (id: string) => string | undefined,
): Record<string, string | string[]> {
  const mapped = Object.entries(inputs).flatMap(([socket, input]): [string, string | string[]][] => {
    const sources = sourcesOf(input).flatMap((source) => {
      const { node, output } = partsOfWire(source)
      const id = named(node)
      return id === undefined ? [] : sourceText({ source: id, output })
    })
    const [first] = sources
    if (first === undefined) return []
    return [[socket, Array.isArray(input) ? sources : first]]
  })
  return Object.fromEntries(mapped)
}

/** The first source of a node, in the order of its operation's sockets. */
function firstSource(document: WorkflowDocument, id: string, catalogue: Catalogue | undefined): string | undefined {
  const node = document.nodes[id]
  const { inputs = {} } = node ?? {}
  const sockets = catalogue ? operationOf(catalogue, node)?.inputs.map(({ name }) => name) : []
  return [...(sockets ?? []), ...Object.keys(inputs)].flatMap((socket) => nodesOf(inputs[socket]))[0]
}

/** Sets the source of an existing wire; undefined removes the wire. */
function setWireSource(document: WorkflowDocument, { target, socket, index }: Wire, source: string | undefined): void {
  changeInput(document, { target, socket }, (input) => {
    if (index === undefined) return source
    const list = sourcesOf(input).toSpliced(index, 1, ...(source === undefined ? [] : [source]))
    return list.length > 0 ? list : undefined
  })
}

type Input = string | string[] | undefined

/** Changes what a socket of a node or of the output card is connected to. */
function changeInput(
  document: WorkflowDocument,
  { target, socket }: Pick<Wire, 'target' | 'socket'>,
  change: (input: Input) => Input,
): void {
  if (target === outputId) {
    changeOutputInput(document, outputNameOf(socket), change)
    return
  }
  const node = document.nodes[target]
  if (node === undefined) return
  const { [socket]: before, ...others } = node.inputs ?? {}
  const input = change(before)
  if (input !== undefined) node.inputs = { ...node.inputs, [socket]: input }
  else if (Object.keys(others).length > 0) node.inputs = others
  else delete node.inputs
}

function changeOutputInput(
  document: WorkflowDocument,
  name: string | undefined,
  change: (input: Input) => Input,
): void {
  const output = name === undefined ? document.output : document.outputs?.[name]
  const { node, ...settings } = output ?? {}
  const input = change(node)
  const changed = input === undefined ? settings : { node: input, ...settings }
  if (name === undefined) {
    if (output !== undefined || input !== undefined) document.output = changed as OutputSettings
  } else if (output !== undefined) document.outputs = { ...document.outputs, [name]: changed }
}
