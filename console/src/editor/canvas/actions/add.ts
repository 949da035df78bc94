/** Adds nodes: from the palette, on a wire, or by a drop. */

import { operationOf } from '../../../api/operations.ts'
import type { Operation } from '../../../api/types.ts'
import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { usedWorkflow } from '../../../api/workflows.ts'
import { addNode, connect, insertOnWire } from '../../document/edits.ts'
import type { Point } from '../../document/geometry.ts'
import { cardSize, cardWidth, freePosition, gapX, nodeSize, positionsOf, setPositions } from '../../document/layout.ts'
import {
  dependsOn,
  freeSocket,
  outputId,
  sourceOf,
  sourcesOf,
  sourceText,
  takesManyImages,
  type Wire,
  wireProblem,
} from '../../document/wires.ts'
import { usedOperation } from '../../form/used-operation.ts'
import { cardPositions, type PaletteRequest, selectOnly } from '../../state/canvas.ts'
import type { Editor } from '../../state/editor.ts'
import { sourceSize } from '../source-size.ts'
import { startingParams } from '../starting-params.ts'
import { announce, announceError } from './announce.ts'
import { reveal } from './focus.ts'
import { writeAutoPositions } from './move.ts'

/** An operation that was chosen in the palette, with initial params. */
export interface Choice {
  type: string
  /** The used workflow, for nodes of the type `workflow`. */
  workflow?: string
  id?: string
  params?: Record<string, unknown>
}

/** Works as `addOperation`, but loads the workflow that the node uses first. */
export async function addChoice(editor: Editor, request: PaletteRequest, choice: Choice): Promise<void> {
  const { workflow } = choice
  const focused = window.document.activeElement
  try {
    if (workflow !== undefined && !editor.catalogue.has(workflow))
      editor.addOperation(usedOperation(await usedWorkflow(workflow)))
  } catch (error) {
    announceError(editor, error instanceof Error ? error.message : `${workflow} wasn’t loaded.`)
    return
  }
  if (request.isOver && isLayer(editor, request, choice)) addOver(editor, request, choice)
  else addOperation(editor, request, choice, focused)
}

/** The operation that places an image over another one, and its socket for that image. */
const overlay = { type: 'composite', socket: 'overlay' }

/** Whether the choice is an image that would be alone: it has no inputs, and the node that it is for needs no further image. */
function isLayer({ document: store, catalogue }: Editor, { from }: PaletteRequest, choice: Choice): boolean {
  const operation = operationOf(catalogue, choice)
  if (operation === undefined || operation.inputs.length > 0 || operation.outputs.image === null) return false
  const node = from === undefined ? undefined : store.getState().document.nodes[sourceOf(from).source]
  const { inputs = {} } = node ?? {}
  const required = operationOf(catalogue, node)?.inputs.filter((socket) => socket.required) ?? []
  return required.every(({ name }) => sourcesOf(inputs[name]).length > 0)
}

/** Adds the image and an operation with `params` that places it over the requested one, as one change. The operation is selected, because it has the handles. */
export function addOver(editor: Editor, request: PaletteRequest, choice: Choice, params?: Choice['params']): void {
  const key = `over ${Date.now()}`
  const target = addOperation(editor, { ...request, key }, { type: overlay.type, ...(params && { params }) })
  addOperation(editor, { to: { target, socket: overlay.socket }, key }, choice)
  selectOnly(editor, target)
}

/**
 * Adds the node, connects it as the palette was opened for, and selects it. Returns its id. `focused`: the element with the focus
 * when it was chosen. A field that got the focus since keeps it.
 */
export function addOperation(
  editor: Editor,
  request: PaletteRequest,
  choice: Choice,
  focused = window.document.activeElement,
): string {
  const { catalogue } = editor
  const operation = operationOf(catalogue, choice)
  const title = operation?.title ?? choice.type
  const join = joinFor(editor, request, operation)
  const near = nearOf(editor, join)
  const size = near === undefined ? undefined : sourceSize(editor, near)
  const isOver = join.kind === 'before' && join.to.socket === overlay.socket
  let id = ''
  const recipe = (document: WorkflowDocument) => {
    writeAutoPositions(editor, document)
    const params = choice.params ?? (operation === undefined ? undefined : startingParams(operation, size, isOver))
    id = addNode(document, {
      ...choice,
      ...(params === undefined ? {} : { params }),
      at: request.at ?? positionFor(editor, document, join, choice),
    })
    if (join.kind === 'insert') insertOnWireWithSpace(editor, document, join.wire, id)
    if (join.kind === 'after') follow(editor, document, join.from, id)
    if (join.kind === 'before') feed(editor, document, join.to, id)
    const isFirst = document.output?.node === undefined && operation?.outputs.image !== null
    if (isFirst) document.output = { ...document.output, node: id }
  }
  const { key } = request
  editor.document.getState().change(`Add ${title}`, recipe, key === undefined ? {} : { key })
  selectOnly(editor, id)
  const isAlone = join.kind === 'beside' || (join.kind === 'before' && operation?.outputs.image === null)
  announce(editor, isAlone ? `Added ${id}, which isn’t connected.` : `Added ${id}.`)
  reveal(editor, id, focused)
  return id
}

/** The node whose image the new one changes, or is placed over. */
function nearOf({ document }: Editor, join: Join): string | undefined {
  if (join.kind === 'after') return sourceOf(join.from).source
  if (join.kind === 'insert') return join.wire.source
  if (join.kind !== 'before') return undefined
  const { image } = document.getState().document.nodes[join.to.target]?.inputs ?? {}
  return typeof image === 'string' ? sourceOf(image).source : undefined
}

/** The place of a new node in the graph. */
export type Join =
  | { kind: 'insert'; wire: Wire }
  /** `from`: the source, as in the document. */
  | { kind: 'after'; from: string }
  | { kind: 'before'; to: Pick<Wire, 'target' | 'socket'> }
  /** A place next to a node, without a wire. */
  | { kind: 'beside'; id: string }
  | { kind: 'anywhere' }

/**
 * The place that an operation can have of those that the palette was opened for. An operation without inputs feeds the node, if it
 * has a free input, such as a mask. Otherwise it stays next to the node. An operation without an image doesn't interrupt a wire.
 */
function joinFor(
  { document: store, catalogue }: Editor,
  { from, to, wire }: PaletteRequest,
  operation: Operation | undefined,
): Join {
  const source = from ?? (wire === undefined ? undefined : sourceText(wire))
  if (to !== undefined) return { kind: 'before', to }
  if (source === undefined) return { kind: 'anywhere' }
  if (operation?.inputs.length !== 0) {
    const isInserted = wire !== undefined && operation?.outputs.image !== null
    return isInserted ? { kind: 'insert', wire } : { kind: 'after', from: source }
  }
  const { source: id } = sourceOf(source)
  const target = from === undefined ? (wire?.target ?? id) : id
  const socket =
    target === outputId || operation.outputs.image === null
      ? undefined
      : freeSocket(store.getState().document, catalogue, target)
  return socket === undefined ? { kind: 'beside', id } : { kind: 'before', to: { target, socket } }
}

/** Connects the new node to a socket, if it has an image that fits. */
function feed(editor: Editor, document: WorkflowDocument, to: Pick<Wire, 'target' | 'socket'>, id: string): void {
  const wire = { source: id, ...to }
  if (wireProblem(document, editor.catalogue, wire) !== undefined) return
  connect(document, wire, isMany(editor, document, to))
}

/** Connects `source` to the new node. If `source` was the output, the new node becomes the output. */
function follow(editor: Editor, document: WorkflowDocument, from: string, id: string): void {
  const socket = freeSocket(document, editor.catalogue, id)
  if (socket === undefined) return
  const wire = { ...sourceOf(from), target: id, socket }
  if (wireProblem(document, editor.catalogue, wire) !== undefined) return
  connect(document, wire, isMany(editor, document, wire))
  const hasImage = operationOf(editor.catalogue, document.nodes[id])?.outputs.image !== null
  if (document.output?.node === from && hasImage) document.output = { ...document.output, node: id }
}

/** Inserts an existing node on a wire. False if it does not fit. */
export function insertNode(editor: Editor, wire: Wire, id: string): boolean {
  const { catalogue } = editor
  const { document } = editor.document.getState()
  const operation = operationOf(catalogue, document.nodes[id])
  const socket = freeSocket(document, catalogue, id)
  const touches = wire.source === id || wire.target === id
  if (touches || operation?.outputs.image === null || socket === undefined) return false
  if (dependsOn(document, wire.source, id)) return false
  editor.document.getState().change(`Insert ${id}`, (draft) => {
    writeAutoPositions(editor, draft)
    const source = cardPositions(editor).get(wire.source)
    const position = cardPositions(editor).get(id)
    if (source !== undefined && position !== undefined)
      setPositions(draft, [[id, { x: source.x + cardWidth + gapX, y: position.y }]])
    insertOnWireWithSpace(editor, draft, wire, id)
  })
  announce(editor, `Inserted ${id} after ${wire.source}.`)
  return true
}

function insertOnWireWithSpace(editor: Editor, document: WorkflowDocument, wire: Wire, id: string): void {
  const socket = freeSocket(document, editor.catalogue, id)
  if (socket === undefined) return
  insertOnWire(document, wire, id, socket, isMany(editor, document, { target: id, socket }))
  makeSpace(editor, document, wire, id)
}

/** Moves the cards on the right out of the way. */
function makeSpace(editor: Editor, document: WorkflowDocument, wire: Wire, id: string): void {
  const positions = cardPositions(editor)
  const target = positions.get(wire.target)
  const source = positions.get(wire.source)
  if (target === undefined || source === undefined || target.x <= source.x) return
  const missing = source.x + 2 * (cardWidth + gapX) - target.x
  if (missing <= 0) return
  const moved = [...positions].filter(
    ([other, { x }]) =>
      other !== id && x >= target.x && (other === outputId || other === wire.target || dependsOn(document, other, id)),
  )
  setPositions(
    document,
    moved.map(([other, { x, y }]) => [other, { x: x + missing, y }] as const),
  )
}

export function isMany(
  { catalogue }: Editor,
  document: WorkflowDocument,
  { target, socket }: { target: string; socket: string },
): boolean {
  if (target === outputId) return takesManyImages(document, socket)
  const sockets = operationOf(catalogue, document.nodes[target])?.inputs
  return sockets?.some(({ name, many }) => name === socket && many) ?? false
}

/** A free position next to the card that the new node is connected to. */
export function positionFor(
  editor: Editor,
  document: WorkflowDocument,
  join: Join,
  node: Pick<Choice, 'type' | 'workflow'>,
): Point | undefined {
  const { catalogue } = editor
  const { flow, element } = editor.view
  const positions = cardPositions(editor)
  const { width, height } = nodeSize(node, catalogue)
  const free = (near: Point) => freePosition(near, positions, height, (id) => cardSize(document, id, catalogue).height)
  const neighbour = positions.get(neighbourOf(join) ?? '')
  if (neighbour !== undefined) {
    const next = { x: neighbour.x + cardWidth + gapX, y: neighbour.y }
    // `makeSpace` moves the cards at this position.
    if (join.kind === 'insert') return next
    if (join.kind === 'before') return free({ x: neighbour.x - cardWidth - gapX, y: neighbour.y })
    if (join.kind === 'beside') return free(neighbour)
    positions.delete(outputId)
    const position = free(next)
    if (join.kind === 'after') pushOutput(document, join.from, position)
    return position
  }
  const frame = element?.getBoundingClientRect()
  if (frame === undefined || flow === undefined) return undefined
  const centre = flow.screenToFlowPosition({ x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 })
  return free({ x: centre.x - width / 2, y: centre.y - height / 2 })
}

/** The card that a new node is placed next to. */
function neighbourOf(join: Join): string | undefined {
  if (join.kind === 'insert') return join.wire.source
  if (join.kind === 'after') return sourceOf(join.from).source
  if (join.kind === 'before') return join.to.target
  return join.kind === 'beside' ? join.id : undefined
}

/**
 * Moves the output card to the right of the new card, if the document has a position for it. Without one it follows
 * anyway.
 */
function pushOutput(document: WorkflowDocument, from: string | undefined, position: Point): void {
  const outputPosition = positionsOf(document).get(outputId)
  const x = position.x + cardWidth + gapX
  if (outputPosition === undefined || document.output?.node !== from || outputPosition.x >= x) return
  setPositions(document, [[outputId, { x, y: outputPosition.y }]])
}
