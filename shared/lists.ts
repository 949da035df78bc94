/**
 * Nodes whose result is a list of images: nodes with `each`, and nodes that read a list with a socket for one image, so that they
 * run once for each of its images. A socket for many images reads the entire list.
 */

export interface ListNode {
  hasEach: boolean
  /** Nodes that are connected to sockets for one image. */
  sourcesOfOne: readonly string[]
}

/** List node -> the nodes with `each` that the list comes from. In `order`, each node comes after the nodes that it reads. */
export function findLists(
  order: Iterable<string>,
  nodeOf: (id: string) => ListNode | undefined,
): Map<string, ReadonlySet<string>> {
  const lists = new Map<string, ReadonlySet<string>>()
  for (const id of order) {
    const node = nodeOf(id)
    if (node === undefined) continue
    const origins = node.sourcesOfOne.flatMap((source) => [...(lists.get(source) ?? [])])
    if (node.hasEach) origins.push(id)
    if (origins.length > 0) lists.set(id, new Set(origins))
  }
  return lists
}
