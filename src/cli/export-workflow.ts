/** A workflow as files: its document with its slug, and a file for each version that it uses. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Schemas, WorkflowDocument } from '../../client/src/index.ts'
import type { CliApi } from './target.ts'
import { replaceUsed } from './used-files.ts'
import { chosenWorkflow } from './workflow-id.ts'

export function exportedDocument({ slug }: Pick<Schemas['Workflow'], 'slug'>, { name, ...rest }: WorkflowDocument) {
  return { name, ...(slug === undefined ? {} : { slug }), ...rest }
}

/** The names of the files, the used ones first. `apply` saves them all. */
export async function exportFolder(
  folder: string,
  newest: Schemas['Workflow'],
  newestDocument: WorkflowDocument,
  { client, request }: CliApi,
): Promise<{ file: string; name: string; version: number }[]> {
  const { stringify } = await import('yaml')
  await mkdir(folder, { recursive: true })
  const written = new Map<string, { file: string; name: string; version: number }>()

  async function write(workflow: Schemas['Workflow'], document: WorkflowDocument, file: string): Promise<void> {
    const exported = structuredClone(exportedDocument(workflow, document))
    await replaceUsed(exported, async (text) => {
      const { workflowId, ...choice } = chosenWorkflow(text)
      const used = await client.workflows.get(workflowId, choice, request)
      const name = `${used.slug ?? used.id}@${used.version}.yaml`
      if (!written.has(name)) {
        const version = { version: used.version ?? 1 }
        await write(used, await client.workflows.getDocument(used.id, version, request), name)
      }
      return `./${name}`
    })
    await writeFile(join(folder, file), stringify(exported, { lineWidth: 120 }))
    written.set(file, { file: join(folder, file), name: workflow.name, version: workflow.version ?? 1 })
  }

  await write(newest, newestDocument, `${newest.slug ?? newest.id}.yaml`)
  return [...written.values()]
}
