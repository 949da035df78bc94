import { isSlug } from '../domain/workflows/workflow.ts'
import { typed } from './options.ts'
import type { CliApi } from './target.ts'

/** The id of a workflow. The API accepts a slug only where it executes or returns a workflow. */
export async function workflowIdOf({ client, request }: CliApi, idOrSlug: string): Promise<string> {
  return isSlug(idOrSlug) ? (await client.workflows.get(idOrSlug, {}, request)).id : idOrSlug
}

interface VersionChoice {
  version?: number
  channel?: string
}

/** `wf_...@3`, `link-card@live`. */
export function chosenWorkflow(text: string): VersionChoice & { workflowId: string } {
  const at = text.lastIndexOf('@')
  if (at < 1) return { workflowId: text }
  const choice = text.slice(at + 1)
  return {
    workflowId: text.slice(0, at),
    ...(/^\d+$/.test(choice) ? { version: Number(choice) } : { channel: choice }),
  }
}

/** Parameters with numbers where the workflow has them. A key that can't read the workflow sends texts. */
export async function typedParameters(
  { client, request }: CliApi,
  { workflowId, ...choice }: VersionChoice & { workflowId: string },
  texts: Record<string, string>,
): Promise<Record<string, unknown>> {
  if (Object.keys(texts).length === 0) return {}
  const workflow = await client.workflows.get(workflowId, choice, request).catch((error: { code?: string }) => {
    if (error.code !== 'forbidden') throw error
  })
  return typed(workflow?.parameters, texts)
}
