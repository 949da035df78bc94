/** Graph functions on node -> the nodes that it needs. */
export type Graph = ReadonlyMap<string, readonly string[]>

/** The nodes, each after its dependencies, otherwise in the order of the map. Nodes on or behind a cycle are left out. */
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

/** One cycle as the ids along it; undefined if there is none. */
export function findCycle(graph: Graph): string[] | undefined {
  const done = new Set(topologicalOrder(graph))
  const start = [...graph.keys()].find((id) => !done.has(id))
  if (start === undefined) return undefined
  // Every remaining node needs another remaining node: follow them until one repeats.
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

/** The node and all its direct and indirect dependencies. */
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
