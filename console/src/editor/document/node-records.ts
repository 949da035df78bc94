/**
 * Records of the console about nodes, in the layout of the document, which the service ignores: `$stars: { photo: [...] }`. They follow
 * a node that is renamed.
 */
import { isObject } from '../../../../shared/values.ts'
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { layoutOf } from './layout-record.ts'

const names = ['$stars', '$conditions'] as const

type Name = (typeof names)[number]

function recordOf({ layout }: Pick<WorkflowDocument, 'layout'>, name: Name): Readonly<Record<string, unknown>> {
  const record = isObject(layout) ? layout[name] : undefined
  return isObject(record) ? record : {}
}

/** Edit: undefined removes the value. */
function setRecord(document: WorkflowDocument, name: Name, node: string, value: unknown): void {
  const { [node]: _, ...others } = recordOf(document, name)
  const record = value === undefined ? others : { ...others, [node]: value }
  const layout = layoutOf(document)
  if (Object.keys(record).length > 0) layout[name] = record
  else delete layout[name]
}

/** Edit. */
export function renameRecords(document: WorkflowDocument, from: string, to: string): void {
  for (const name of names) {
    const { [from]: value } = recordOf(document, name)
    if (value === undefined) continue
    setRecord(document, name, to, value)
    setRecord(document, name, from, undefined)
  }
}

/** Edit. */
export function removeRecords(document: WorkflowDocument, node: string): void {
  for (const name of names)
    if (Object.hasOwn(recordOf(document, name), node)) setRecord(document, name, node, undefined)
}

/** The executions whose results of the node have a star. */
export function starsOf(document: WorkflowDocument, node: string): string[] {
  const stars = recordOf(document, '$stars')[node]
  return Array.isArray(stars) ? stars.filter((id) => typeof id === 'string') : []
}

/** Edit: adds a star to the result, or removes it. `executionIds`: all executions with this result, the newest first. */
export function toggleStar(document: WorkflowDocument, node: string, executionIds: readonly string[]): void {
  const stars = starsOf(document, node)
  const others = stars.filter((id) => !executionIds.includes(id))
  const next = others.length < stars.length ? others : [...executionIds.slice(0, 1), ...others]
  setRecord(document, '$stars', node, next.length === 0 ? undefined : next)
}

/** Whether the node is skipped in every run. */
export function isBypassed(document: WorkflowDocument, node: string): boolean {
  const when = document.nodes[node]?.when
  return when === false || when === 'false'
}

/** Edit: the node passes on its first input. Its condition comes back when it is turned on again. */
export function bypass(document: WorkflowDocument, id: string): void {
  const node = document.nodes[id]
  if (node === undefined || isBypassed(document, id)) return
  if (typeof node.when === 'string') setRecord(document, '$conditions', id, node.when)
  node.when = false
}

/** Edit. */
export function turnOn(document: WorkflowDocument, id: string): void {
  const node = document.nodes[id]
  if (node === undefined || !isBypassed(document, id)) return
  const condition = recordOf(document, '$conditions')[id]
  if (typeof condition === 'string') node.when = condition
  else delete node.when
  if (condition !== undefined) setRecord(document, '$conditions', id, undefined)
}
