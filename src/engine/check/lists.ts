/**
 * Nodes that give lists of images: those with `each`, and those that take such a list where one image is taken, which then
 * run once for each of its images. A socket that takes many takes a list whole.
 */
import { findLists } from '../../../shared/lists.ts'
import type { CheckedNode } from './checked-workflow.ts'
import { handedOn } from './wires.ts'

/** What the templates of such a node call the value that it runs for, and its place, counted from 0. */
export const itemNames = ['item', 'index']

/** Node that gives a list -> the nodes with `each` that it comes from. */
export type Lists = ReadonlyMap<string, ReadonlySet<string>>

/** In `order`, each node comes after the nodes that it reads. */
export function listsOf(
  nodes: ReadonlyMap<string, Pick<CheckedNode, 'operation' | 'inputs' | 'each'>>,
  order: readonly string[],
): Lists {
  return findLists(order, (id) => {
    const node = nodes.get(id)
    return node && { hasEach: Boolean(node.each), sourcesOfOne: wiresOfOne(node) }
  })
}

/** The nodes that are wired to sockets that take one image. */
export function wiresOfOne({ operation, inputs }: Pick<CheckedNode, 'operation' | 'inputs'>): string[] {
  return Object.entries(inputs).flatMap(([name, sources]) => (operation.inputs[name]?.many ? [] : sources))
}

/** A count stands for the numbers from 1. */
export function listOf(each: unknown): unknown[] {
  return Array.isArray(each) ? each : Array.from({ length: Number(each) }, (_, i) => i + 1)
}

/** The node whose image a skipped node passes through. */
export function firstWire(node: Pick<CheckedNode, 'operation' | 'inputs'>): string | undefined {
  return handedOn(node)[0]
}

/** Whether the first input accepts a whole list. */
export function takesMany(node: Pick<CheckedNode, 'operation' | 'inputs'>): boolean {
  return !wiresOfOne(node).includes(firstWire(node) ?? '')
}
