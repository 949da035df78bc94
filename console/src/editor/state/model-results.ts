/** Which results of AI models are stored, as far as the editor knows: a preview calls no model, so it needs all of them. */
import { type Catalogue, operationOf, workflowType } from '../../api/operations.ts'
import type { Validation } from '../../api/types.ts'
import type { ParameterValues, WorkflowDocument } from '../../api/workflow-document.ts'
import { neededNodes, parametersOf } from '../document/part.ts'

export interface Inputs {
  document: WorkflowDocument
  values: ParameterValues
}

export interface ModelResults {
  /** The nodes whose missing results the image of a node needs. */
  missing(document: WorkflowDocument, node: string): string[]
  /** Whether the image of a node needs no model, or only results that are known to be stored. */
  areStored(document: WorkflowDocument, node: string): boolean
  /** A change of settings means other results, which are seldom stored. The next forecast knows it. */
  change(now: Inputs, before: Inputs): void
  /** Returns the nodes whose results were missing before. */
  readForecast(steps: Validation['steps']): Set<string>
  set(document: WorkflowDocument, nodes: Iterable<string>, isStored: boolean): void
  /** Other variations have other results. */
  clear(): void
}

export function createModelResults(catalogue: Catalogue): ModelResults {
  const stored = new Map<string, boolean>()
  const asks = ({ nodes }: WorkflowDocument, id: string) => (operationOf(catalogue, nodes[id])?.asks ?? null) !== null
  // A used workflow may have models inside.
  const mayAsk = (document: WorkflowDocument, id: string) =>
    document.nodes[id]?.type === workflowType || asks(document, id)
  const askedFor = (document: WorkflowDocument, node: string) =>
    [...neededNodes(document, node)].filter((id) => document.nodes[id]?.pinned === undefined && mayAsk(document, id))
  return {
    missing: (document, node) => askedFor(document, node).filter((id) => stored.get(id) === false),
    areStored: (document, node) => askedFor(document, node).every((id) => stored.get(id) === true),

    change({ document, values }, before) {
      const { nodes, parameters = [] } = document
      const changed = Object.keys(nodes).filter((id) => nodes[id] !== before.document.nodes[id])
      const named = parameters.flatMap(({ name }) =>
        parameters !== before.document.parameters || values[name] !== before.values[name] ? [name] : [],
      )
      for (const id of Object.keys(nodes)) {
        if (!mayAsk(document, id)) continue
        const needed = neededNodes(document, id)
        const read = named.length > 0 ? parametersOf(document, id) : []
        if (!changed.some((other) => needed.has(other)) && !named.some((name) => read.includes(name))) continue
        if (asks(document, id)) stored.set(id, false)
        else stored.delete(id)
      }
    },

    readForecast(steps) {
      const wasMissing = new Set([...stored].flatMap(([id, isStored]) => (isStored ? [] : [id])))
      const known = new Map<string, boolean>()
      for (const { node, action, servedFrom, cost } of steps) {
        if (action === 'unneeded') continue
        const [id = ''] = node.split('/')
        // A step without a cost calls no model.
        known.set(id, known.get(id) !== false && (cost === undefined || action === 'skip' || servedFrom !== null))
      }
      for (const [id, isStored] of known) stored.set(id, isStored)
      return new Set([...wasMissing].filter((id) => stored.get(id) === true))
    },

    set(document, nodes, isStored) {
      for (const node of nodes) {
        const [id = ''] = node.split('/')
        if (mayAsk(document, id)) stored.set(id, isStored)
      }
    },

    clear: () => stored.clear(),
  }
}
