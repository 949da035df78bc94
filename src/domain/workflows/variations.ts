/** Variations of a request: which random result each node reuses. */
import { isObject } from '../../../shared/values.ts'
import type { Issue } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Variations } from '../executions/execution.ts'
import { joinPath, unknownName } from '../validate.ts'

/** The ids that are not nodes of the document. The document can have any form: without nodes, its own issues say so. */
export function variationIssues(variations: Variations, document: unknown): Issue[] {
  const nodes = isObject(document) && isObject(document.nodes) ? document.nodes : {}
  const known = Object.keys(nodes).slice(0, limits.nodesMax)
  if (known.length === 0) return []
  return Object.keys(variations)
    .filter((id) => !Object.hasOwn(nodes, id))
    .slice(0, limits.issuesMax)
    .map((id) => ({ path: joinPath('variations', id), message: unknownName('node of the workflow', id, known) }))
}
