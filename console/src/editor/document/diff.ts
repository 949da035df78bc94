/** The differences of two documents by node, wire, parameter and setting. Detects renames. */

import { isObject } from '../../../../shared/values.ts'
import type { Parameter, WorkflowDocument, WorkflowNode } from '../../api/workflow-document.ts'
import { positionsOf } from './layout.ts'
import { findRenames } from './renames.ts'
import { type Wire, wiresOf } from './wires.ts'

export type ChangeKind = 'added' | 'removed' | 'changed' | 'same'

export interface ValueChange {
  /** Relative to the changed thing, such as `params.box.x`. */
  path: string
  /** Undefined if it did not exist. */
  before: unknown
  after: unknown
}

export interface NodeChange {
  /** The current id, or the last one of a removed node. */
  id: string
  type: string
  kind: ChangeKind
  renamedFrom?: string
  isMoved: boolean
  changes: ValueChange[]
}

export interface WireChange extends Wire {
  kind: Exclude<ChangeKind, 'changed'>
}

export interface ParameterChange {
  name: string
  kind: ChangeKind
  renamedFrom?: string
  changes: ValueChange[]
}

export interface DocumentDiff {
  nodes: NodeChange[]
  wires: WireChange[]
  parameters: ParameterChange[]
  output: ValueChange[]
  outputs: ValueChange[]
  /** Name, description, examples. */
  workflowChanges: ValueChange[]
  /** The earlier document with the names of the later one. Removed nodes are drawn from it. */
  before: WorkflowDocument
  /** No difference except for the positions of cards. */
  isSame: boolean
}

export function diffDocuments(earlier: WorkflowDocument, after: WorkflowDocument): DocumentDiff {
  const { document: before, ...renamed } = findRenames(earlier, after)
  const wires = wireChanges(before, after)
  const nodes = nodeChanges(before, after, renamed.nodes, wires)
  const parameters = parameterChanges(before, after, renamed.parameters)
  const output = valueChanges(before.output ?? {}, after.output ?? {})
  const outputs = valueChanges(before.outputs ?? {}, after.outputs ?? {})
  const workflowChanges = valueChanges(facts(before), facts(after))
  const isSame =
    output.length + outputs.length + workflowChanges.length === 0 &&
    nodes.every(({ kind, renamedFrom }) => kind === 'same' && renamedFrom === undefined) &&
    parameters.every(({ kind }) => kind === 'same') &&
    wires.every(({ kind }) => kind === 'same')
  return { nodes, wires, parameters, output, outputs, workflowChanges, before, isSame }
}

function facts({ name, description, examples }: WorkflowDocument) {
  return { name, description, examples }
}

function nodeChanges(
  before: WorkflowDocument,
  after: WorkflowDocument,
  renamed: ReadonlyMap<string, string>,
  wires: readonly WireChange[],
): NodeChange[] {
  const [positionsBefore, positionsAfter] = [positionsOf(before), positionsOf(after)]
  const rewired = new Set(wires.flatMap(({ kind, target }) => (kind === 'same' ? [] : [target])))
  const ids = [...new Set([...Object.keys(after.nodes), ...Object.keys(before.nodes)])]
  return ids.map((id) => {
    const [was, is] = [before.nodes[id], after.nodes[id]]
    const [from, to] = [positionsBefore.get(id), positionsAfter.get(id)]
    const former = renamed.get(id)
    const changes = was && is ? valueChanges(settings(was), settings(is)) : []
    const isChanged = changes.length > 0 || rewired.has(id)
    return {
      id,
      type: (is ?? was)?.type ?? '',
      kind: was === undefined ? 'added' : is === undefined ? 'removed' : isChanged ? 'changed' : 'same',
      ...(former === undefined ? {} : { renamedFrom: former }),
      isMoved: from !== undefined && to !== undefined && (from.x !== to.x || from.y !== to.y),
      changes,
    }
  })
}

function settings({ inputs: _, ...rest }: WorkflowNode): Record<string, unknown> {
  return rest
}

function wireChanges(before: WorkflowDocument, after: WorkflowDocument): WireChange[] {
  const name = ({ source, target, socket, index = 0 }: Wire) => `${source} ${target} ${socket} ${index}`
  const [wiresBefore, wiresAfter] = [wiresOf(before), wiresOf(after)]
  const [hadNames, hasNames] = [new Set(wiresBefore.map(name)), new Set(wiresAfter.map(name))]
  return [
    ...wiresAfter.map((wire): WireChange => ({ ...wire, kind: hadNames.has(name(wire)) ? 'same' : 'added' })),
    ...wiresBefore.flatMap((wire): WireChange[] => (hasNames.has(name(wire)) ? [] : [{ ...wire, kind: 'removed' }])),
  ]
}

function parameterChanges(
  { parameters: before = [] }: WorkflowDocument,
  { parameters: after = [] }: WorkflowDocument,
  renamed: ReadonlyMap<string, string>,
): ParameterChange[] {
  const declaredBefore = new Map(before.map((parameter) => [parameter.name, parameter]))
  const namesAfter = new Set(after.map(({ name }) => name))
  const current = after.map((parameter): ParameterChange => {
    const was = declaredBefore.get(parameter.name)
    const former = renamed.get(parameter.name)
    const changes = was === undefined ? [] : valueChanges(declaration(was), declaration(parameter))
    const isChanged = changes.length > 0 || former !== undefined
    const kind = was === undefined ? 'added' : isChanged ? 'changed' : 'same'
    return { name: parameter.name, kind, changes, ...(former === undefined ? {} : { renamedFrom: former }) }
  })
  const removed = before.filter(({ name }) => !namesAfter.has(name))
  return [...current, ...removed.map(({ name }): ParameterChange => ({ name, kind: 'removed', changes: [] }))]
}

function declaration({ name: _, ...rest }: Parameter): Record<string, unknown> {
  return rest
}

/** Compares value by value, and item by item for lists of the same length. */
export function valueChanges(before: unknown, after: unknown, path = ''): ValueChange[] {
  if (isSameValue(before, after)) return []
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => valueChanges(before[name], after[name], path === '' ? name : `${path}.${name}`))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return before.flatMap((item, index) => valueChanges(item, after[index], `${path}.${index}`))
  // Lists the fields of an added or removed object, so that a node's first params look like all others.
  if (before === undefined && isObject(after) && Object.keys(after).length > 0) return valueChanges({}, after, path)
  if (after === undefined && isObject(before) && Object.keys(before).length > 0) return valueChanges(before, {}, path)
  return [{ path, before, after }]
}

/** Ignores the order of names. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameValue(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => name in b && isSameValue(a[name], b[name]))
}
