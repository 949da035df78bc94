/** The operations of the nodes of a document: those of the catalogue, and workflows. */
import { didYouMean } from '../../../shared/suggest.ts'
import { list, show } from '../../../shared/text.ts'
import { fixOfName } from '../../domain/fix.ts'
import type { WorkflowDocument } from '../../domain/workflows/workflow.ts'
import type { Fix, Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Catalogue, Operation } from '../../operations/define.ts'
import type { Kinds } from './check-sockets.ts'
import type { Extent, UsableWorkflows, UsedWorkflow } from './checked-workflow.ts'
import { operationOf, usedBy, workflowType } from './used-workflow.ts'

/** Adds the issues of nodes that are neither. */
export function kindsOf(
  { nodes }: WorkflowDocument,
  catalogue: Catalogue,
  usable: UsableWorkflows,
  issues: Issue[],
): Kinds {
  const kinds = new Map<string, { operation: Operation; used?: UsedWorkflow | undefined }>()
  const operations = new Map<UsedWorkflow, Operation>()
  for (const [id, node] of Object.entries(nodes)) {
    if (issues.length >= limits.issuesMax) break
    const at = `nodes.${id}`
    const { used, issue } = usedBy(node, usable, at)
    if (issue) issues.push(issue)
    const operation = used ? (operations.get(used) ?? operationOf(used)) : catalogue.get(node.type)
    if (used && operation) operations.set(used, operation)
    if (operation) kinds.set(id, { operation, used })
    else if (node.type !== workflowType)
      issues.push({
        path: `${at}.type`,
        message: unknownOperation(node.type, catalogue),
        ...fixOfOperation(node.type, catalogue),
      })
  }
  return kinds
}

/** `size`: of the document alone. */
export function extentOf(
  document: WorkflowDocument,
  size: Pick<Extent, 'bytes' | 'templateChars'>,
  kinds: Kinds,
): Extent {
  const nodes = Object.values(document.nodes).filter(({ type }) => type !== workflowType).length
  let extent: Extent = { nodes, ...size, depth: 1 }
  for (const { used } of kinds.values()) {
    if (used === undefined) continue
    extent = extentWith(extent, used.workflow.extent)
  }
  return extent
}

/** The extent, including that of a workflow that it uses. */
export function extentWith(extent: Extent, used: Extent): Extent {
  return {
    nodes: extent.nodes + used.nodes,
    bytes: extent.bytes + used.bytes,
    templateChars: extent.templateChars + used.templateChars,
    depth: Math.max(extent.depth, 1 + used.depth),
  }
}

export function extentOfUsedIssues({ nodes, bytes, templateChars, depth }: Extent): Issue[] {
  const issues: Issue[] = []
  const report = (message: string) => issues.push({ path: 'nodes', message })
  if (depth > limits.workflowDepthMax)
    report(`must have at most ${limits.workflowDepthMax} workflows inside one another, not ${depth}. Use fewer levels.`)
  if (nodes > limits.inlinedNodesMax)
    report(
      `must have at most ${limits.inlinedNodesMax} nodes with those of the workflows that it uses, not ${nodes}. Use fewer or smaller workflows.`,
    )
  if (depth > 1 && bytes > limits.inlinedBytesMax)
    report(
      `must have at most ${limits.inlinedBytesMax} bytes with the workflows that it uses, not ${bytes}. Use fewer or smaller workflows.`,
    )
  if (depth > 1 && templateChars > limits.templatesCharsMax)
    report(
      `must have at most ${limits.templatesCharsMax} characters in all templates together with those of the workflows that it uses, not ${templateChars}. Use fewer workflows, or shorter templates.`,
    )
  return issues
}

function unknownOperation(type: string, catalogue: Catalogue): string {
  const hint = didYouMean(type, catalogue.keys()) || operationsFor(type, catalogue)
  return `is ${show(type)}, which is not an operation. ${hint}`
}

function operationsFor(task: string, catalogue: Catalogue): string {
  const found = withKeyword(task, catalogue)
  return found.length === 0 ? 'List the operations with GET /v1/operations.' : `Operations for it: ${list(found)}.`
}

function fixOfOperation(type: string, catalogue: Catalogue): { fix?: Fix } {
  const [only, ...others] = withKeyword(type, catalogue)
  const byTask = only !== undefined && others.length === 0 ? { fix: { value: only } } : {}
  return { ...byTask, ...fixOfName(type, [...catalogue.keys()]) }
}

/** The operations with this keyword: `sepia` is a task of `tint`. */
function withKeyword(task: string, catalogue: Catalogue): string[] {
  const keyword = task.toLowerCase().replaceAll(/[-_]/g, ' ')
  return [...catalogue.values()].filter(({ keywords }) => keywords.includes(keyword)).map(({ id }) => id)
}
