import type { Workflow, WorkflowDocument, WorkflowStore } from '../../domain/workflows/workflow.ts'
import { Fault, notFound } from '../../errors.ts'

export interface NewestVersion {
  workflow: Workflow
  document: WorkflowDocument
}

/** A workflow with the document of its newest version. Throws `not_found`. */
export async function findNewest(
  workflows: Pick<WorkflowStore, 'find' | 'findVersion'>,
  accountId: string,
  id: string,
): Promise<NewestVersion> {
  const workflow = await workflows.find(accountId, id)
  if (workflow === undefined) throw notFound('workflow', id)
  return withDocument(workflows, workflow)
}

/** Throws `not_found` if the workflow was deleted since. */
export async function withDocument(
  workflows: Pick<WorkflowStore, 'findVersion'>,
  workflow: Workflow,
): Promise<NewestVersion> {
  const version = await workflows.findVersion(workflow.id, workflow.version)
  if (version === undefined) throw notFound('workflow', workflow.id)
  return { workflow, document: version.document }
}

export function noVersion(workflowId: string, version: number): Fault {
  return new Fault('not_found', `Workflow "${workflowId}" has no version ${version}.`)
}
