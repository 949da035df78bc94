/** The workflow that a command names, by id or slug, and its account. */
import type { Workflow, WorkflowDocument } from '../domain/workflows/workflow.ts'
import { isSlug } from '../domain/workflows/workflow.ts'
import { invalidRequest, notFound } from '../errors.ts'
import type { CliServices } from './cli-services.ts'

export interface FoundWorkflow {
  accountId: string
  workflow: Workflow
  /** The newest version. */
  document: WorkflowDocument
}

export const accountOption = ['--account <id>', 'account of the slug; required if several accounts have it'] as const

/**
 * Finds a workflow; without `account`, looks in all accounts. Throws `not_found`, and `invalid_request` if several
 * accounts have the slug.
 */
export async function workflowOf(
  {
    accounts,
    services: { workflows },
  }: Pick<CliServices, 'accounts'> & { services: Pick<CliServices['services'], 'workflows'> },
  idOrSlug: string,
  account?: string,
): Promise<FoundWorkflow> {
  const owners = account === undefined ? await accounts.list() : [await accounts.find(account)]
  const found: FoundWorkflow[] = []
  for (const { id: accountId } of owners) {
    const named = isSlug(idOrSlug)
      ? await workflows.findBySlug(accountId, idOrSlug)
      : await workflows.find(accountId, idOrSlug).catch(() => undefined)
    if (named) found.push({ accountId, ...named })
  }
  const [first, second] = found
  if (first === undefined) throw notFound('workflow', idOrSlug)
  if (second === undefined) return first
  const message = `is required: several accounts have a workflow with the slug "${idOrSlug}", such as "${first.accountId}" and "${second.accountId}".`
  throw invalidRequest([{ path: '--account', message }])
}

/** The account of a workflow. */
export async function ownerOf(app: CliServices, workflowId: string): Promise<string> {
  return (await workflowOf(app, workflowId)).accountId
}
