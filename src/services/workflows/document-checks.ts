/** Checks documents together with the workflows that they use. */
import { isDeepStrictEqual } from 'node:util'
import { show } from '../../../shared/text.ts'
import { isObject } from '../../../shared/values.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import { nameProblem } from '../../domain/name-text.ts'
import { isSlug, type WorkflowStore, type WorkflowUse } from '../../domain/workflows/workflow.ts'
import type {
  CheckedWorkflow,
  Checker,
  CheckResult,
  Extent,
  UsedWorkflow,
} from '../../engine/check/checked-workflow.ts'
import { extentOfUsedIssues, extentWith } from '../../engine/check/kinds.ts'
import { namesOfUsed } from '../../engine/check/used-workflow.ts'
import { invalidRequest } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { publishedVersion } from './version-chooser.ts'

export interface DocumentChecks {
  /**
   * Checks a document that is not a published version. Finds the used workflows by slug or id among those of the account. `workflowId`: the
   * workflow of the document, which none of them may use. Rejects with the reason of the signal while it waits for other checks of the account.
   */
  check(accountId: string, document: unknown, workflowId?: string, signal?: AbortSignal): Promise<DocumentCheck>
  /** Checks like `check`. Throws `invalid_request`. */
  require(accountId: string, document: unknown, workflowId?: string, signal?: AbortSignal): Promise<RightDocument>
  /** Checks a published version, which uses the same workflows as when it was published. */
  checkVersion(
    accountId: string,
    version: { workflowId: string; version: number; document: unknown },
  ): Promise<CheckResult>
}

export type DocumentCheck = CheckResult & { uses: WorkflowUse[] }

export interface RightDocument {
  workflow: CheckedWorkflow
  uses: WorkflowUse[]
}

interface Dependencies {
  workflows: Pick<WorkflowStore, 'find' | 'findBySlug' | 'findVersion' | 'uses'>
  check: Checker
}

/** The used workflows of one check, each read once. */
type Loaded = Map<string, Promise<CheckedWorkflow | { problem: string }>>

export function createDocumentChecks({ workflows, check }: Dependencies): DocumentChecks {
  const checks = createFairQueue({ perAccount: limits.documentChecksMax })

  async function resolve(accountId: string, name: string): Promise<WorkflowUse | { problem: string }> {
    const at = name.lastIndexOf('@')
    const [idOrSlug, version] = [name.slice(0, at), Number(name.slice(at + 1))]
    const workflow = isSlug(idOrSlug)
      ? await workflows.findBySlug(accountId, idOrSlug)
      : await workflows.find(accountId, idOrSlug)
    if (workflow === undefined) {
      const noun = isSlug(idOrSlug) ? 'slug' : 'id'
      return { problem: `but the account has no workflow with this ${noun}. List them with GET /v1/workflows.` }
    }
    const { issue } = publishedVersion(workflow, version)
    if (issue) return { problem: issue.message.slice(issue.message.indexOf('but workflow')) }
    return { name, workflowId: workflow.id, version }
  }

  /** Only published versions, which never change, so that no chain of them is endless. */
  function load({ workflowId, version }: WorkflowUse, loaded: Loaded): Promise<CheckedWorkflow | { problem: string }> {
    const key = `${workflowId}/${version}`
    const found = loaded.get(key) ?? read(workflowId, version, loaded)
    loaded.set(key, found)
    return found
  }

  async function read(
    workflowId: string,
    version: number,
    loaded: Loaded,
  ): Promise<CheckedWorkflow | { problem: string }> {
    const stored = await workflows.findVersion(workflowId, version)
    if (stored === undefined) return { problem: 'but this version was deleted.' }
    const { workflow, issues } = await checkStored(stored, loaded)
    if (workflow) return workflow
    const [first] = issues
    return { problem: `but this version is no longer valid: ${first?.path} ${first?.message}` }
  }

  async function checkStored(
    { workflowId, version, document }: { workflowId: string; version: number; document: unknown },
    loaded: Loaded,
  ): Promise<CheckResult> {
    if (namesOfUsed(document).length === 0) return check(document)
    const { usable } = await usableOf(await workflows.uses(workflowId, version), loaded)
    return check(document, usable)
  }

  /** Stops when there are too many nodes: the check reports the same, and each further workflow takes time. */
  async function usableOf(uses: readonly WorkflowUse[], loaded: Loaded) {
    const usable = new Map<string, UsedWorkflow | { problem: string }>()
    let extent: Extent = { nodes: 0, bytes: 0, templateChars: 0, depth: 1 }
    for (const use of uses) {
      const found = await load(use, loaded)
      if ('problem' in found) {
        usable.set(use.name, found)
        continue
      }
      usable.set(use.name, { name: use.name, id: use.workflowId, version: use.version, workflow: found })
      extent = extentWith(extent, found.extent)
      const issues = extentOfUsedIssues(extent)
      if (issues.length > 0) return { usable, issues }
    }
    return { usable, issues: [] }
  }

  async function checkDocument(accountId: string, document: unknown, workflowId?: string): Promise<DocumentCheck> {
    const names = namesOfUsed(document)
    if (names.length === 0) return { ...check(document), uses: [] }
    const uses: WorkflowUse[] = []
    const problems = new Map<string, { problem: string }>()
    for (const name of names) {
      const use = await resolve(accountId, name)
      if ('problem' in use) problems.set(name, use)
      else uses.push(use)
    }
    const { usable, issues } = await usableOf(uses, new Map())
    if (issues.length > 0) return { issues, overLimit: true, uses: [] }
    if (workflowId !== undefined) for (const [name, used] of usable) refuseCycle(name, used, workflowId, usable)
    return { ...check(document, new Map([...usable, ...problems])), uses }
  }

  const checkNew: DocumentChecks['check'] = async (account, document, workflowId, signal) => {
    const found = await checks.run({ account, signal }, () => checkDocument(account, document, workflowId))
    return withNameIssue(document, found)
  }

  return {
    check: checkNew,
    async require(...request) {
      const { workflow, issues, uses } = await checkNew(...request)
      if (issues) throw invalidRequest(issues)
      return { workflow, uses }
    },
    checkVersion: (accountId, version) => checks.run({ account: accountId }, () => checkStored(version, new Map())),
  }
}

/**
 * Adds an issue of the name, which is not a part of the schema, because the name of a published version can be white
 * space.
 */
function withNameIssue(document: unknown, result: DocumentCheck): DocumentCheck {
  const message = isObject(document) && typeof document.name === 'string' ? nameProblem(document.name) : undefined
  const { issues = [], overLimit = false } = result
  if (message === undefined || issues.some(({ path }) => path === 'name')) return result
  return { issues: [{ path: 'name', message }, ...issues].slice(0, limits.issuesMax), overLimit, uses: [] }
}

/** A check ends soon, and other requests can wait for its result. */
/** Two workflows that use each other, in whatever versions, could never be deleted. */
function refuseCycle(
  name: string,
  used: UsedWorkflow | { problem: string },
  workflowId: string,
  usable: Map<string, UsedWorkflow | { problem: string }>,
): void {
  if ('problem' in used) return
  const path = pathTo(used, workflowId)
  if (path === undefined) return
  const way = path.length === 1 ? 'which is this workflow' : `which uses this workflow: ${path.map(show).join(' -> ')}`
  usable.set(name, { problem: `${way}. A workflow can't use itself. Remove this node, or use another workflow.` })
}

function pathTo(used: UsedWorkflow, workflowId: string): string[] | undefined {
  if (used.id === workflowId) return [used.name]
  for (const node of used.workflow.nodes.values()) {
    const path = node.used && pathTo(node.used, workflowId)
    if (path) return [used.name, ...path]
  }
  return undefined
}

/** Whether two versions use the same workflows: a slug in an equal document can mean another one now. */
export function areSameUses(before: readonly WorkflowUse[], after: readonly WorkflowUse[]): boolean {
  const sorted = (uses: readonly WorkflowUse[]) => uses.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return isDeepStrictEqual(sorted(before), sorted(after))
}
