/** Pure sums over the wires of a workflow: node -> the nodes that it needs. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** Every node after all that it needs; nodes of equal standing keep the order of the map. Nodes on or behind a cycle are left out. */
export function topologicalOrder(graph: Graph): string[] {
  const order: string[] = []
  const waiting = new Map([...graph].map(([id, needs]) => [id, new Set(needs.filter((need) => graph.has(need)))]))
  while (waiting.size > 0) {
    const ready = [...waiting].filter(([, needs]) => needs.size === 0).map(([id]) => id)
    if (ready.length === 0) return order
    for (const id of ready) waiting.delete(id)
    for (const needs of waiting.values()) for (const id of ready) needs.delete(id)
    order.push(...ready)
  }
  return order
}

/** One cycle, as the ids along it, or none. */
export function findCycle(graph: Graph): string[] | undefined {
  const done = new Set(topologicalOrder(graph))
  const start = [...graph.keys()].find((id) => !done.has(id))
  if (start === undefined) return undefined
  // Every node left over needs another one that is left over: follow until one comes back.
  const trail: string[] = []
  for (let id = start; ; ) {
    const seen = trail.indexOf(id)
    if (seen >= 0) return trail.slice(seen)
    trail.push(id)
    const next = graph.get(id)?.find((need) => graph.has(need) && !done.has(need))
    if (next === undefined) return undefined
    id = next
  }
}

/** The node and all that it needs, directly or not. */
export function reachable(graph: Graph, from: string): Set<string> {
  const found = new Set<string>()
  const queue = [from]
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id) || !graph.has(id)) continue
    found.add(id)
    queue.push(...(graph.get(id) ?? []))
  }
  return found
}
