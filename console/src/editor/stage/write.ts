/** Writes the result of a gesture: into the params of the node, or into the run form for the value of a parameter. */
import type { FrameBound } from '../../../../shared/frames.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { joinPath, pathKeys, setAt, valueAt } from '../document/path.ts'
import type { CurrentFrame } from './current-frame.ts'
import { boundsOf } from './shape.ts'
import { isFree, type Slots, valueFor } from './slots.ts'
import type { Solution } from './solve.ts'

type Writes = Pick<Solution, 'writes' | 'anchor'>

/** Edit of the document. `before` is the frame before the gesture. Only params that it binds, and those that exclude them, change. */
export function writeParams(document: WorkflowDocument, id: string, before: CurrentFrame, solution: Writes): void {
  const node = document.nodes[id]
  const { frame, slots, anchor } = before
  const own = [...solution.writes].filter(([bound]) => slots[bound]?.parameter === undefined)
  if (node === undefined || (own.length === 0 && solution.anchor === undefined)) return
  const params = node.params ?? {}
  const all = new Map([...completions(before, solution, params), ...own])
  for (const [bound, value] of all) setAt(node, joinPath('params', slots[bound]?.param ?? ''), value)
  if (anchor !== undefined && solution.anchor !== undefined)
    setAt(node, joinPath('params', anchor.param), solution.anchor)
  // A compass point stays, with its margin.
  if (anchor !== undefined) return
  for (const name of frame.removes ?? [])
    if (valueAt(params, name) !== undefined) setAt(node, joinPath('params', name), undefined)
}

/** Edit of the document: a template is replaced by the value that it has now. A template of an entire object by all its values. */
export function replaceTemplate(
  document: WorkflowDocument,
  id: string,
  { frame, shape, slots }: CurrentFrame,
  bound: FrameBound,
): void {
  const node = document.nodes[id]
  const path = slots[bound]?.param
  if (node === undefined || path === undefined) return
  const now = boundsOf(frame, shape)
  const parent = parentOf(path)
  const isOfObject = typeof valueAt(node.params, path) !== 'string'
  for (const [name, slot] of Object.entries(slots) as [FrameBound, NonNullable<Slots[FrameBound]>][]) {
    const isReplaced = name === bound || (isOfObject && parentOf(slot.param) === parent)
    const value = now[name]
    if (isReplaced && value !== undefined) setAt(node, joinPath('params', slot.param), valueFor(slot, value))
  }
}

/** The values of the run form after the gesture; the same object if it changes none. */
export function writtenValues(
  values: ParameterValues,
  { slots }: Pick<CurrentFrame, 'slots'>,
  { writes }: Writes,
): ParameterValues {
  const changed = [...writes].flatMap(([bound, value]) => {
    const name = slots[bound]?.parameter
    return name === undefined ? [] : [[name, value] as const]
  })
  return changed.length === 0 ? values : { ...values, ...Object.fromEntries(changed) }
}

/**
 * Bounds that are written in addition, as they were reported: the other fields of an object that doesn't exist yet, since half an
 * object can be invalid, and the place that the removed params have set.
 */
function completions(
  { frame, shape, slots }: CurrentFrame,
  { writes }: Writes,
  params: object,
): [FrameBound, number][] {
  const reported = boundsOf(frame, shape)
  const parents = new Set([...writes.keys()].map((bound) => parentOf(slots[bound]?.param ?? '')))
  return (Object.keys(slots) as FrameBound[]).flatMap((bound): [FrameBound, number][] => {
    const slot = slots[bound]
    const value = reported[bound]
    if (!isFree(slot) || value === undefined || valueAt(params, slot.param) !== undefined) return []
    const parent = parentOf(slot.param)
    const isOfNewObject = parent !== '' && parents.has(parent) && valueAt(params, parent) === undefined
    const isOfRemoved = (bound === 'x' || bound === 'y') && (frame.removes?.length ?? 0) > 0 && parents.has(parent)
    return isOfNewObject || isOfRemoved ? [[bound, valueFor(slot, value)]] : []
  })
}

function parentOf(path: string): string {
  return joinPath(...pathKeys(path).slice(0, -1))
}
