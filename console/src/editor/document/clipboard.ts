/** Nodes as text, for the clipboard, a chat or a file: the JSON of a document or of a part of it. */

import { asDocument } from '../../api/read-document.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { addCopies, renamedOutput } from './edits.ts'
import type { Point } from './geometry.ts'
import { positionsOf } from './layout.ts'
import { addNote, notesOf } from './notes.ts'
import { usedParameters } from './parameters.ts'
import { outputId, sourceOf, sourceText } from './wires.ts'

/** The nodes and notes with their positions, and the parameters that they read. */
export function copyText(
  document: WorkflowDocument,
  ids: readonly string[],
  positions: ReadonlyMap<string, Point>,
): string | undefined {
  const copiedNodes = ids.flatMap((id) => (document.nodes[id] === undefined ? [] : [[id, document.nodes[id]] as const]))
  const notes = [...notesOf(document)].filter(([id]) => ids.includes(id))
  if (copiedNodes.length + notes.length === 0) return undefined
  const nodes = Object.fromEntries(copiedNodes)
  const used = usedParameters(Object.values(nodes))
  const parameters = (document.parameters ?? []).filter(({ name }) => used.has(name))
  const layout = Object.fromEntries(
    copiedNodes.flatMap(([id]) => {
      const position = positions.get(id)
      return position === undefined ? [] : [[id, [position.x, position.y]] as const]
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
  for (const key of Object.keys(document)) delete (document as unknown as Record<string, unknown>)[key]
  Object.assign(document, structuredClone(pasted), keepName || pasted.name === '' ? { name } : {})
}

/**
 * Edit: adds the nodes and notes under free ids, from the position `at`, with the parameters that are missing, and sets
 * the output if there is none. Returns the new ids.
 */
export function pasteNodes(document: WorkflowDocument, pasted: WorkflowDocument, at: Point | undefined): string[] {
  const declared = new Set(document.parameters?.map(({ name }) => name))
  const missing = (pasted.parameters ?? []).filter(({ name }) => !declared.has(name))
  if (missing.length > 0) document.parameters = [...(document.parameters ?? []), ...structuredClone(missing)]
  const positions = positionsOf(pasted)
  positions.delete(outputId)
  const notes = notesOf(pasted)
  const corner = cornerOf([...positions.values(), ...[...notes.values()].map((note) => note.at)])
  const movedPoint = ({ x, y }: Point) =>
    at === undefined ? { x, y } : { x: x - corner.x + at.x, y: y - corner.y + at.y }
  const newPositions = new Map([...positions].map(([id, position]) => [id, movedPoint(position)]))
  const names = addCopies(document, structuredClone(pasted.nodes), newPositions)
  const noteIds = [...notes.values()].map((note) => addNote(document, { ...note, at: movedPoint(note.at) }))
  const from = sourceOf(pasted.output?.node ?? '')
  const copy = names.get(from.source)
  if (copy !== undefined && document.output?.node === undefined) {
    const { output, outputs } = structuredClone(pasted)
    document.output = {
      ...(output && renamedOutput(output, names)),
      ...document.output,
      node: sourceText({ ...from, source: copy }),
    }
    if (document.outputs === undefined && outputs !== undefined)
      document.outputs = Object.fromEntries(
        Object.entries(outputs).map(([name, output]) => [name, renamedOutput(output, names)]),
      )
  }
  return [...names.values(), ...noteIds]
}

export function cornerOf(positions: readonly Point[]): Point {
  return { x: Math.min(...positions.map(({ x }) => x)), y: Math.min(...positions.map(({ y }) => y)) }
}
