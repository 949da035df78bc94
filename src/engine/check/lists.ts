/**
 * Nodes whose result is a list of images: nodes with `each`, and nodes with such a list at a socket for one image, which run once
 * for each of its images. A socket for many images accepts an entire list.
 */
import { findLists } from '../../../shared/lists.ts'
import type { CheckedNode } from './checked-workflow.ts'
import { passedOn } from './wires.ts'

/** Node with a list -> the nodes with `each` that the list comes from. */
export type Lists = ReadonlyMap<string, ReadonlySet<string>>

/** Lists by node; in `order`, each node comes after the nodes that it reads. */
export function listsOf(
  nodes: ReadonlyMap<string, Pick<CheckedNode, 'operation' | 'inputs' | 'each'>>,
  order: readonly string[],
): Lists {
  return findLists(order, (id) => {
    const node = nodes.get(id)
    return node && { hasEach: Boolean(node.each), sourcesOfOne: wiresOfOne(node) }
  })
}

/** The nodes that are wired to sockets for one image. */
export function wiresOfOne({ operation, inputs }: Pick<CheckedNode, 'operation' | 'inputs'>): string[] {
  return Object.entries(inputs).flatMap(([name, sources]) => (operation.inputs[name]?.many ? [] : sources))
}

/** A count means the numbers from 1. */
export function listOf(each: unknown): unknown[] {
  return Array.isArray(each) ? each : Array.from({ length: Number(each) }, (_, i) => i + 1)
}

/** The node whose image a skipped node passes through. */
export function firstWire(node: Pick<CheckedNode, 'operation' | 'inputs'>): string | undefined {
  return passedOn(node)[0]
}

/** Whether the first socket accepts an entire list. */
export function takesMany(node: Pick<CheckedNode, 'operation' | 'inputs'>): boolean {
  return !wiresOfOne(node).includes(firstWire(node) ?? '')
}
