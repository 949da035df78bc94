/** Graph functions on node -> the nodes that it needs. */
export type Graph = ReadonlyMap<string, readonly string[]>

/**
 * The nodes, each after its dependencies: first those without any, then those that need only the ones before, and so on, each group in
 * the order of the map. Nodes on or behind a cycle are left out.
 */
export function topologicalOrder(graph: Graph): string[] {
  const places = new Map([...graph.keys()].map((id, place) => [id, place]))
  const waiting = new Map([...graph].map(([id, needs]) => [id, new Set(needs.filter((need) => graph.has(need)))]))
  const edges = [...waiting].flatMap(([id, needs]) => [...needs].map((need) => ({ id, need })))
  const readers = Map.groupBy(edges, ({ need }) => need)
  const order: string[] = []
  let ready = [...graph.keys()].filter((id) => waiting.get(id)?.size === 0)
  while (ready.length > 0) {
    order.push(...ready)
    const read = ready.flatMap((done) => readers.get(done) ?? [])
    for (const { id, need } of read) waiting.get(id)?.delete(need)
    const next = new Set(read.flatMap(({ id }) => (waiting.get(id)?.size === 0 ? [id] : [])))
    ready = [...next].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0))
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
