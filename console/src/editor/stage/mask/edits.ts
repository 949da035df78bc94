/** The edits of a mask as vectors, with undo and redo. */
import type { Point } from '../shape.ts'

/** Pixels of the image. */
export interface Stroke {
  kind: 'stroke'
  isErasing: boolean
  /** The diameter. */
  size: number
  /** The width of the soft edge on each side; 0 for a hard one. */
  feather: number
  points: readonly Point[]
}

export type MaskEdit = Stroke | { kind: 'invert' } | { kind: 'clear' }

export interface MaskHistory {
  done: readonly MaskEdit[]
  /** The edit that was undone last is the last one. */
  undone: readonly MaskEdit[]
}

export const noEdits: MaskHistory = { done: [], undone: [] }

export function withEdit({ done }: MaskHistory, edit: MaskEdit): MaskHistory {
  return { done: [...done, edit], undone: [] }
}

export function undone(history: MaskHistory): MaskHistory {
  const last = history.done.at(-1)
  return last === undefined ? history : { done: history.done.slice(0, -1), undone: [...history.undone, last] }
}

export function redone(history: MaskHistory): MaskHistory {
  const last = history.undone.at(-1)
  return last === undefined ? history : { done: [...history.done, last], undone: history.undone.slice(0, -1) }
}

/** The next size for a key: about a tenth more or less, at least one pixel. */
export function resized(size: number, way: 1 | -1, max: number): number {
  const next = size + way * Math.max(1, Math.round(size / 10))
  return Math.min(Math.max(next, 1), max)
}

/** The diameter of a new brush, and the largest one. */
export function brushSizes({ width, height }: { width: number; height: number }): { start: number; max: number } {
  const max = Math.max(64, Math.round(Math.max(width, height) / 2))
  return { start: Math.max(4, Math.round(Math.min(width, height) / 12)), max }
}
