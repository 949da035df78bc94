/** Notes on the canvas. They are part of `document.layout`, which the service ignores. */

import type { WorkflowDocument } from '../../api/workflow-document.ts'
import type { Point, Size } from './geometry.ts'
import { layoutOf } from './layout-record.ts'

/** The colours as hex. */
export const noteColors = {
  yellow: '#e6b800',
  green: '#3fa34d',
  blue: '#3d84d6',
  pink: '#d6568f',
  grey: '#8a8178',
} as const
export type NoteColor = keyof typeof noteColors

/** Stored in `layout` as `$note-1: {at: [x, y], size: [width, height], text, color}`. */
export interface Note {
  at: Point
  size: Size
  text: string
  color: NoteColor
}

export const noteSize: Size = { width: 240, height: 160 }
export const noteSizeMin: Size = { width: 120, height: 64 }
const first = '$note-1'

export function isNote(id: string): boolean {
  return /^\$note-\d+$/.test(id)
}

/** All notes of a layout. Ignores invalid values. */
export function notesOf({ layout }: WorkflowDocument): Map<string, Note> {
  if (typeof layout !== 'object' || layout === null) return new Map()
  return new Map(
    Object.entries(layout).flatMap(([id, value]) => {
      const note = isNote(id) ? readNote(value) : undefined
      return note === undefined ? [] : [[id, note]]
    }),
  )
}

export function noteOf(document: WorkflowDocument, id: string): Note | undefined {
  const { layout } = document
  const isThere = isNote(id) && typeof layout === 'object' && layout !== null && Object.hasOwn(layout, id)
  return isThere ? readNote((layout as Record<string, unknown>)[id]) : undefined
}

/** Edit: adds a note and returns its id. */
export function addNote(document: Pick<WorkflowDocument, 'layout'>, note: Note): string {
  const layout = layoutOf(document)
  let id = first
  for (let count = 2; Object.hasOwn(layout, id); count++) id = `$note-${count}`
  layout[id] = serialize(note)
  return id
}

/** Edit. */
export function changeNote(document: WorkflowDocument, id: string, part: Partial<Note>): void {
  const note = noteOf(document, id)
  if (note !== undefined) layoutOf(document)[id] = serialize({ ...note, ...part })
}

function readNote(value: unknown): Note | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { at, size, text, color } = value as Record<string, unknown>
  const [x, y] = numbers(at)
  const [width, height] = numbers(size)
  if (x === undefined || y === undefined) return undefined
  return {
    at: { x, y },
    size: {
      width: Math.max(width ?? noteSize.width, noteSizeMin.width),
      height: Math.max(height ?? noteSize.height, noteSizeMin.height),
    },
    text: typeof text === 'string' ? text : '',
    color: isColor(color) ? color : 'yellow',
  }
}

function isColor(value: unknown): value is NoteColor {
  return typeof value === 'string' && Object.hasOwn(noteColors, value)
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((number) => Number.isFinite(number)) : []
}

function serialize({ at, size, text, color }: Note) {
  const rounded = (...values: number[]) => values.map((value) => Math.round(value))
  return { at: rounded(at.x, at.y), size: rounded(size.width, size.height), text, color }
}
