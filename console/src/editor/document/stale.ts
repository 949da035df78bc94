/** Nodes whose result may be different now: changed nodes, and all nodes that depend on them. */
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { dependenciesOf } from './wires.ts'

/** `others`: nodes that changed for another reason, such as a parameter. */
export function changedNodes(
  before: WorkflowDocument,
  now: WorkflowDocument,
  others: Iterable<string> = [],
): Set<string> {
  const stale = new Set(others)
  if (before === now && stale.size === 0) return stale
  for (const [id, node] of Object.entries(now.nodes))
    if (before.nodes[id] !== node && !isSame(before.nodes[id], node)) stale.add(id)
  if (stale.size === 0) return stale
  const readers = readersOf(now)
  const reach = (id: string) => {
    for (const reader of readers.get(id) ?? []) {
      if (stale.has(reader)) continue
      stale.add(reader)
      reach(reader)
    }
  }
  for (const id of [...stale]) reach(id)
  return stale
}

function readersOf(document: WorkflowDocument): Map<string, string[]> {
  const readers = new Map<string, string[]>()
  for (const [id, needs] of dependenciesOf(document))
    for (const need of needs) readers.set(need, [...(readers.get(need) ?? []), id])
  return readers
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
