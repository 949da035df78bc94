/** The part of a document that one node needs. */
import type { WorkflowDocument } from '../../api/workflow-document.ts'
import { referencesOf } from './references.ts'
import { dependenciesOf } from './wires.ts'

/** The node and all nodes that it needs, with dependencies of pinned nodes left out. */
export function neededNodes(document: WorkflowDocument, node: string): Set<string> {
  const needs = dependenciesOf(document)
  const needed = new Set<string>()
  const ahead = [node]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (needed.has(next) || !needs.has(next)) continue
    needed.add(next)
    if (document.nodes[next]?.pinned === undefined) ahead.push(...(needs.get(next) ?? []))
  }
  return needed
}

/** The document that a run up to the node executes. Its image is the output, and no parameter is required. */
export function partUpTo(document: WorkflowDocument, node: string): WorkflowDocument {
  const needed = neededNodes(document, node)
  const { name, parameters } = document
  return {
    name: name.trim() === '' ? 'Untitled' : name,
    ...(parameters === undefined
      ? {}
      : { parameters: parameters.map((parameter) => ({ ...parameter, required: false })) }),
    nodes: Object.fromEntries(Object.entries(document.nodes).filter(([id]) => needed.has(id))),
    output: { node },
  }
}

/** The parameters that a node depends on, directly or by the nodes that it needs. */
export function parametersOf(document: WorkflowDocument, node: string): string[] {
  const nodes = [...neededNodes(document, node)].flatMap((id) => {
    const needed = document.nodes[id]
    return needed === undefined || needed.pinned !== undefined ? [] : [needed]
  })
  const read = new Set(nodes.flatMap(({ params, each, when }) => referencesOf([params, each, when])).map(nameOf))
  return (document.parameters ?? []).flatMap(({ name }) => (read.has(name) ? [name] : []))
}

function nameOf({ kind, name }: { kind: string; name: string }): string | undefined {
  return kind === 'parameter' ? name : undefined
}
