/** A cache of checked versions, bounded in bytes. Versions never change, so each is read and checked once. */
import { createBoundedCache } from '../../bounded-cache.ts'
import type { Execution, ExecutionStore } from '../../domain/executions/execution.ts'
import { settingsFor } from '../../domain/workflows/output.ts'
import type { WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import type { CheckedWorkflow } from '../../engine/check/checked-workflow.ts'
import { Fault, failure, notValidNow } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { DocumentChecks } from './document-checks.ts'

/** `outputFormat`: that of a delivery URL. */
type VersionToRun = Pick<Execution, 'accountId' | 'workflowId' | 'workflowVersion' | 'outputFormat'>

export interface VersionCache {
  /** Throws a `Fault` if the document is not valid for the operations of this release or the current models. */
  get(version: VersionToRun): Promise<CheckedWorkflow>
  /** The workflow that this execution runs. Throws as `get` does. */
  of(
    execution: Pick<Execution, 'id' | 'accountId' | 'workflowId' | 'workflowVersion' | 'isDraft' | 'outputFormat'>,
  ): Promise<CheckedWorkflow>
  /** Caches it for the next execution. Call it for accepted executions and valid delivery URLs: no other request leaves something in memory. */
  keep(
    execution: Pick<Execution, 'accountId' | 'workflowId' | 'workflowVersion' | 'isDraft' | 'outputFormat'>,
    workflow: CheckedWorkflow,
  ): void
}

export function createVersionCache({
  workflows,
  executions,
  documents,
}: {
  workflows: WorkflowStore
  executions: Pick<ExecutionStore, 'findDocument'>
  documents: DocumentChecks
}): VersionCache {
  const cache = createBoundedCache<CheckedWorkflow>({
    bytesMax: limits.checkedWorkflowsBytesMax,
    accountBytesMax: limits.checkedWorkflowsAccountBytesMax,
  })
  /** Checks that requests wait for. An entry lasts as long as its check. */
  const checking = new Map<string, Promise<CheckedWorkflow>>()

  async function get(version: VersionToRun): Promise<CheckedWorkflow> {
    const key = keyOf(version)
    const hit = cache.get(key)
    if (hit) return hit
    const check = checking.get(key) ?? readAndCheck(version).finally(() => checking.delete(key))
    checking.set(key, check)
    return check
  }

  async function readAndCheck({
    accountId,
    workflowId,
    workflowVersion: version,
    outputFormat,
  }: VersionToRun): Promise<CheckedWorkflow> {
    const stored = await workflows.findVersion(workflowId, version)
    if (stored === undefined)
      throw failure('input_not_found', `Version ${version} of workflow "${workflowId}" was deleted.`)
    const document = outputFormat === undefined ? stored.document : withOutputFormat(stored.document, outputFormat)
    const { workflow, issues, overLimit } = await documents.checkVersion(accountId, { ...stored, document })
    if (issues)
      throw notValidNow(`Version ${version} of workflow "${workflowId}" is no longer valid`, issues, overLimit)
    return workflow
  }

  return {
    get,
    async of(execution) {
      const { id, accountId, workflowId, isDraft } = execution
      if (!isDraft) return get(execution)
      const document = await executions.findDocument(id)
      if (document === undefined) throw failure('input_not_found', `Workflow "${workflowId}" was deleted.`)
      const { workflow, issues, overLimit } = await documents.check(accountId, document)
      if (issues)
        throw notValidNow('The draft, as it was when the execution was created, is no longer valid', issues, overLimit)
      return workflow
    },
    keep(execution, workflow) {
      const key = keyOf(execution)
      if (execution.isDraft || cache.get(key)) return
      cache.set(key, workflow, { accountId: execution.accountId, bytes: bytesOf(workflow) })
    },
  }
}

/** Replaces the error for a request that starts nothing if this fails: 400 instead of the 500 of a failed execution. */
export async function forRequest(checked: Promise<CheckedWorkflow>): Promise<CheckedWorkflow> {
  return checked.catch((error: unknown) => {
    if (!(error instanceof Fault) || error.code !== 'workflow_failed') throw error
    const { message } = error
    throw new Fault('invalid_request', message, { issues: error.details.issues ?? [{ path: 'workflowId', message }] })
  })
}

function keyOf({ workflowId, workflowVersion, outputFormat }: VersionToRun): string {
  return `${workflowId}/${workflowVersion}${outputFormat === undefined ? '' : `.${outputFormat}`}`
}

/** The document of a delivery URL: its output in this format, without options that the format doesn't have. */
function withOutputFormat(
  document: WorkflowDocument,
  format: NonNullable<Execution['outputFormat']>,
): WorkflowDocument {
  const { outputs: _, ...rest } = document
  const { node, ...settings } = document.output
  return { ...rest, output: { node, ...settingsFor(settings, format) } }
}

/**
 * Heap bytes, measured: a document of `{{a}}` needs about 170 for each character of its templates. Without templates it needs
 * about 4 for each character of its JSON and 1,000 for each node.
 */
export function bytesOf({ document, nodes, outputs }: CheckedWorkflow): number {
  const templates = [...nodes.values()].flatMap(({ params, each: node, when }) => [
    ...params.templates.map(({ template }) => template),
    ...(node?.templates ?? []).map(({ template }) => template),
    ...(typeof when === 'boolean' ? [] : [when]),
  ])
  const ofOutputs = outputs.flatMap(({ settings }) => settings.templates.map(({ template }) => template))
  const chars = [...templates, ...ofOutputs].reduce((sum, { text }) => sum + text.length, 0)
  const used = new Set([...nodes.values()].flatMap((node) => node.used?.workflow ?? []))
  const ofUsed = [...used].reduce((sum, workflow) => sum + bytesOf(workflow), 0)
  return 170 * chars + 4 * JSON.stringify(document).length + 1_000 * nodes.size + ofUsed
}
