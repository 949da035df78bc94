import type { NamedOutput, WorkflowDocument } from '../../api/workflow-document.ts'
import { nodesOf } from '../document/wires.ts'
import type { RunState } from './run.ts'

/** Whether the document changed after the run in a way that can change an output. `name`: of a named output. */
export function isOutdated(
  { execution, nodes, executed }: Pick<RunState, 'execution' | 'nodes' | 'executed'>,
  document: WorkflowDocument,
  name?: string,
): boolean {
  if (nodes.size === 0) return false
  // A run up to a node has the image of that node.
  if (execution?.node !== undefined && name === undefined) return isChanged(nodes, execution.node)
  const output = outputOf(document, name)
  if (output === undefined || nodesOf(output.node).some((node) => isChanged(nodes, node))) return true
  return executed !== undefined && JSON.stringify(outputOf(executed, name)) !== JSON.stringify(output)
}

function isChanged(nodes: RunState['nodes'], node: string): boolean {
  const run = nodes.get(node)
  return run === undefined || run.isStale === true
}

function outputOf({ output, outputs }: WorkflowDocument, name: string | undefined): NamedOutput | undefined {
  return name === undefined ? output : outputs?.[name]
}
