/** Downloads a workflow as YAML, the format for git. */
import type { QueryClient } from '@tanstack/react-query'
import { draftQuery } from '../../api/drafts.ts'
import { documentQuery } from '../../api/workflows.ts'
import { downloadFile } from '../../ui/download-file.ts'
import type { Entry } from './entries.ts'

export async function downloadYaml(queryClient: QueryClient, { workflowId, name, draft }: Entry): Promise<void> {
  const { stringify } = await import('yaml')
  const drafted = draft === 'new' ? await queryClient.fetchQuery(draftQuery(workflowId)) : null
  const text = stringify(drafted?.document ?? (await queryClient.fetchQuery(documentQuery(workflowId))))
  downloadFile(`${fileName(name)}.yaml`, text, 'application/yaml')
}

function fileName(name: string): string {
  const slug = name
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return slug === '' ? 'workflow' : slug
}
