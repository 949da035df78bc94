import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { findCycle, type Graph, reachable, topologicalOrder } from './graph.ts'

/** Any graph over up to a dozen nodes, cycles and self-loops included. */
const graphs = fc
  .array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 30 })
  .map(
    (pairs): Graph =>
      new Map(
        Array.from({ length: 12 }, (_, i) => [`n${i}`, pairs.filter(([from]) => from === i).map(([, to]) => `n${to}`)]),
      ),
  )

describe('a graph', () => {
  it('in topological order has each node once, after all its dependencies, except nodes on or behind a cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const order = topologicalOrder(graph)
        assert.equal(new Set(order).size, order.length)
        for (const [i, id] of order.entries())
          for (const need of graph.get(id) ?? []) assert.ok(order.indexOf(need) < i && order.includes(need))
        assert.equal(order.length === graph.size, findCycle(graph) === undefined)
      }),
    )
  })
  it('in topological order has the nodes in groups, each in the order of the map', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const groups: string[][] = []
        const isReady = (id: string) =>
          !groups.flat().includes(id) && (graph.get(id) ?? []).every((need) => groups.flat().includes(need))
        for (;;) {
          const group = [...graph.keys()].filter(isReady)
          if (group.length === 0) break
          groups.push(group)
        }
        assert.deepEqual(topologicalOrder(graph), groups.flat())
      }),
    )
  })
  it('has a cycle exactly if a node reaches itself, and the reported cycle exists', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const cycle = findCycle(graph)
        const loops = [...graph].some(([id, needs]) => needs.some((need) => reachable(graph, need).has(id)))
        assert.equal(cycle !== undefined, loops)
        for (const [i, id] of (cycle ?? []).entries())
          assert.ok(graph.get(id)?.includes(cycle?.[(i + 1) % cycle.length] ?? ''))
      }),
    )
  })
})
