/** Nodes as text, for the clipboard, a chat or a file: the JSON of a document or of a part of it. */

import { asDocument } from '../../api/read-document.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { addCopies } from './edits.ts'
import type { Point } from './geometry.ts'
import { placesOf } from './layout.ts'
import { addNote, notesOf } from './notes.ts'
import { usedParameters } from './parameters.ts'
import { outputId } from './wires.ts'

/** The nodes and notes with their places, and the parameters that they read. */
export function copyText(
  document: WorkflowDocument,
  ids: readonly string[],
  places: ReadonlyMap<string, Point>,
): string | undefined {
  const chosen = ids.flatMap((id) => (document.nodes[id] === undefined ? [] : [[id, document.nodes[id]] as const]))
  const notes = [...notesOf(document)].filter(([id]) => ids.includes(id))
  if (chosen.length + notes.length === 0) return undefined
  const nodes = Object.fromEntries(chosen)
  const used = usedParameters(Object.values(nodes))
  const parameters = (document.parameters ?? []).filter(({ name }) => used.has(name))
  const layout = Object.fromEntries(
    chosen.flatMap(([id]) => {
      const place = places.get(id)
      return place === undefined ? [] : [[id, [place.x, place.y]] as const]
    }),
  )
  const copied = { ...(parameters.length > 0 ? { parameters } : {}), nodes, layout }
  for (const [, note] of notes) addNote(copied, note)
  return JSON.stringify(copied, null, 2)
}

export interface Pasted {
  document: WorkflowDocument
  /** Whether it has an output. */
  isComplete: boolean
}

/** The document in a JSON or YAML text; undefined if there is none. */
export async function readText(text: string): Promise<Pasted | undefined> {
  if (!/nodes["']?\s*:/.test(text)) return undefined
  const value = (await parsed(text)) as { nodes?: unknown; document?: unknown } | undefined
  // API responses have the document in a field.
  const content = value?.nodes === undefined ? value?.document : value
  const document = asDocument(content)
  if (document === undefined || Object.keys(document.nodes).length + notesOf(document).size === 0) return undefined
  return { document, isComplete: document.output?.node !== undefined }
}

async function parsed(text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    const { parse } = await import('yaml')
    try {
      return parse(unfenced(text))
    } catch {
      return undefined
    }
  }
}

/** Removes the fence that chats and Markdown put around code. */
function unfenced(text: string): string {
  return /^\s*```\w*\n([\s\S]*?)```\s*$/.exec(text)?.[1] ?? text
}

/** Edit: replaces an empty document, except for its name if it has one. */
export function pasteWorkflow(document: WorkflowDocument, pasted: WorkflowDocument, keepName: boolean): void {
  const { name } = document
  for (const part of Object.keys(document)) delete (document as unknown as Record<string, unknown>)[part]
  Object.assign(document, structuredClone(pasted), keepName || pasted.name === '' ? { name } : {})
}

/**
 * Edit: adds the nodes and notes under free ids, from the place `at`, with the parameters that are missing, and sets
 * the output if there is none. Returns the new ids.
 */
export function pasteNodes(document: WorkflowDocument, pasted: WorkflowDocument, at: Point | undefined): string[] {
  const declared = new Set(document.parameters?.map(({ name }) => name))
  const missing = (pasted.parameters ?? []).filter(({ name }) => !declared.has(name))
  if (missing.length > 0) document.parameters = [...(document.parameters ?? []), ...structuredClone(missing)]
  const places = placesOf(pasted)
  places.delete(outputId)
  const notes = notesOf(pasted)
  const corner = cornerOf([...places.values(), ...[...notes.values()].map((note) => note.at)])
  const movedPoint = ({ x, y }: Point) =>
    at === undefined ? { x, y } : { x: x - corner.x + at.x, y: y - corner.y + at.y }
  const newPlaces = new Map([...places].map(([id, place]) => [id, movedPoint(place)]))
  const names = addCopies(document, structuredClone(pasted.nodes), newPlaces)
  const noteIds = [...notes.values()].map((note) => addNote(document, { ...note, at: movedPoint(note.at) }))
  const shown = names.get(pasted.output?.node ?? '')
  if (shown !== undefined && document.output?.node === undefined)
    document.output = { ...structuredClone(pasted.output), ...document.output, node: shown }
  return [...names.values(), ...noteIds]
}

export function cornerOf(places: readonly Point[]): Point {
  return { x: Math.min(...places.map(({ x }) => x)), y: Math.min(...places.map(({ y }) => y)) }
}
