/** Nodes that come: from the palette, on a wire, by a drop. */

import type { WorkflowDocument } from '../../../api/workflow-document.ts'
import { addNode, connect, insertOnWire } from '../../document/edits.ts'
import type { Point } from '../../document/geometry.ts'
import { cardSize, cardWidth, freePlace, gapX, nodeSize, placesOf, setPlaces } from '../../document/layout.ts'
import { freeSocket, isNeeding, outputId, type Wire, whyNot } from '../../document/wires.ts'
import { type Canvas, type PaletteRequest, placesOn, selectOnly } from '../../state/canvas-model.ts'
import { startingParams } from '../starting-params.ts'
import { reveal } from './focus.ts'
import { settlePlaces } from './move.ts'
import { say } from './say.ts'

/** What was chosen in the palette: an operation, with params for a start. */
export interface Choice {
  type: string
  id?: string
  params?: Record<string, unknown>
}

/** Adds the node, wired as the palette was opened for, selects it, and gives its id. */
export function addChosen(canvas: Canvas, request: PaletteRequest, choice: Choice): string {
  const { editor, catalogue } = canvas
  const operation = catalogue.get(choice.type)
  const title = operation?.title ?? choice.type
  let id = ''
  editor.getState().change(`Add ${title}`, (document) => {
    settlePlaces(canvas, document)
    const params = choice.params ?? (operation === undefined ? undefined : startingParams(operation))
    id = addNode(document, {
      ...choice,
      ...(params === undefined ? {} : { params }),
      at: placeFor(canvas, document, request, choice.type),
    })
    const { from, to, wire } = request
    if (wire !== undefined) putOnWire(canvas, document, wire, id)
    if (from !== undefined) follow(canvas, document, from, id)
    if (to !== undefined && whyNot(document, catalogue, { source: id, ...to }) === undefined)
      connect(document, { source: id, ...to }, isMany(canvas, document, to))
    const isFirst = document.output?.node === undefined && operation?.outputs.image !== null
    if (isFirst) document.output = { ...document.output, node: id }
  })
  selectOnly(canvas, id)
  say(canvas, `Added ${id}.`)
  reveal(canvas, id)
  return id
}

/** The new node takes the image of `source`; when that was the output, the new one is from now on. */
function follow(canvas: Canvas, document: WorkflowDocument, source: string, id: string): void {
  const socket = freeSocket(document, canvas.catalogue, id)
  if (socket === undefined) return
  const wire = { source, target: id, socket }
  if (whyNot(document, canvas.catalogue, wire) !== undefined) return
  connect(document, wire, isMany(canvas, document, wire))
  const givesImage = canvas.catalogue.get(document.nodes[id]?.type ?? '')?.outputs.image !== null
  if (document.output?.node === source && givesImage) document.output = { ...document.output, node: id }
}

/** Puts a node that is there on a wire. False where it does not fit. */
export function insertNode(canvas: Canvas, wire: Wire, id: string): boolean {
  const { editor, catalogue } = canvas
  const { document } = editor.getState()
  const operation = catalogue.get(document.nodes[id]?.type ?? '')
  const socket = freeSocket(document, catalogue, id)
  const touches = wire.source === id || wire.target === id
  if (touches || operation?.outputs.image === null || socket === undefined) return false
  if (isNeeding(document, wire.source, id)) return false
  editor.getState().change(`Insert ${id}`, (draft) => {
    settlePlaces(canvas, draft)
    const source = placesOn(canvas).get(wire.source)
    const place = placesOn(canvas).get(id)
    if (source !== undefined && place !== undefined)
      setPlaces(draft, [[id, { x: source.x + cardWidth + gapX, y: place.y }]])
    putOnWire(canvas, draft, wire, id)
  })
  say(canvas, `${id} is on the wire from ${wire.source} now.`)
  return true
}

function putOnWire(canvas: Canvas, document: WorkflowDocument, wire: Wire, id: string): void {
  const socket = freeSocket(document, canvas.catalogue, id)
  if (socket === undefined) return
  insertOnWire(document, wire, id, socket, isMany(canvas, document, { target: id, socket }))
  makeRoom(canvas, document, wire, id)
}

/** What stands in the way on the right moves on. */
function makeRoom(canvas: Canvas, document: WorkflowDocument, wire: Wire, id: string): void {
  const places = placesOn(canvas)
  const target = places.get(wire.target)
  const source = places.get(wire.source)
  if (target === undefined || source === undefined || target.x <= source.x) return
  const missing = source.x + 2 * (cardWidth + gapX) - target.x
  if (missing <= 0) return
  const moved = [...places].filter(
    ([other, { x }]) =>
      other !== id && x >= target.x && (other === outputId || other === wire.target || isNeeding(document, other, id)),
  )
  setPlaces(
    document,
    moved.map(([other, { x, y }]) => [other, { x: x + missing, y }] as const),
  )
}

export function isMany(
  { catalogue }: Canvas,
  document: WorkflowDocument,
  { target, socket }: { target: string; socket: string },
): boolean {
  const sockets = catalogue.get(document.nodes[target]?.type ?? '')?.inputs
  return sockets?.some(({ name, many }) => name === socket && many) ?? false
}

function placeFor(
  canvas: Canvas,
  document: WorkflowDocument,
  { at, from, wire }: PaletteRequest,
  type: string,
): Point | undefined {
  const { catalogue, flow, root } = canvas
  const places = placesOn(canvas)
  const { width, height } = nodeSize(type, catalogue)
  const heightOf = (id: string) => cardSize(document, id, catalogue).height
  const source = places.get(wire?.source ?? from ?? '')
  if (at !== undefined) return at
  if (source !== undefined) {
    const next = { x: source.x + cardWidth + gapX, y: source.y }
    // What stands there on a wire is moved on.
    if (wire !== undefined) return next
    places.delete(outputId)
    const place = freePlace(next, places, height, heightOf)
    pushOutput(document, from, place)
    return place
  }
  const frame = root?.getBoundingClientRect()
  if (frame === undefined || flow === undefined) return undefined
  const centre = flow.screenToFlowPosition({ x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 })
  return freePlace({ x: centre.x - width / 2, y: centre.y - height / 2 }, places, height, heightOf)
}

/** The output card goes along to the right of what it shows; without a place of its own it does so anyway. */
function pushOutput(document: WorkflowDocument, from: string | undefined, place: Point): void {
  const stands = placesOf(document).get(outputId)
  const x = place.x + cardWidth + gapX
  if (stands === undefined || document.output?.node !== from || stands.x >= x) return
  setPlaces(document, [[outputId, { x, y: stands.y }]])
}
