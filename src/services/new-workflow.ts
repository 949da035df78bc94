import { newId } from '../domain/ids.ts'
import type { Workflow, WorkflowDocument } from '../domain/workflow.ts'

/** The record of a workflow with its first version. */
export function newWorkflow(
  { name, description = '' }: WorkflowDocument,
  {
    now,
    slug = null,
    ...owner
  }: { accountId: string; projectId: string; slug: string | null | undefined; now: number },
): Workflow {
  return { id: newId('wf', now), ...owner, slug, name, description, version: 1, createdAt: now, updatedAt: now }
}
