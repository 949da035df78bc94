/** A workflow as files: its document with its slug, and a file for each version that it uses. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Workflow, WorkflowDocument } from '../domain/workflows/workflow.ts'
import type { CliServices } from './cli-services.ts'
import { replaceUsed } from './used-files.ts'

export function exportedDocument({ slug }: Pick<Workflow, 'slug'>, { name, ...rest }: WorkflowDocument) {
  return { name, ...(slug === null ? {} : { slug }), ...rest }
}

/** The names of the files, the used ones first. `apply` saves them all. */
export async function exportFolder(
  folder: string,
  accountId: string,
  newest: Workflow,
  newestDocument: WorkflowDocument,
  { workflows }: Pick<CliServices['services'], 'workflows'>,
): Promise<{ file: string; name: string; version: number }[]> {
  const { stringify } = await import('yaml')
  await mkdir(folder, { recursive: true })
  const written = new Map<string, { file: string; name: string; version: number }>()

  async function write(workflow: Workflow, document: WorkflowDocument, file: string): Promise<void> {
    const uses = await workflows.uses(workflow.id, workflow.version)
    const files = new Map<string, string>()
    for (const use of uses) {
      const used = await workflows.findAt(accountId, use.workflowId, { version: use.version })
      const name = `${used.workflow.slug ?? used.workflow.id}@${use.version}.yaml`
      files.set(use.name, `./${name}`)
      if (!written.has(name)) await write(used.workflow, used.document, name)
    }
    const exported = structuredClone(exportedDocument(workflow, document))
    await replaceUsed(exported, async (text) => files.get(text))
    await writeFile(join(folder, file), stringify(exported, { lineWidth: 120 }))
    written.set(file, { file: join(folder, file), name: workflow.name, version: workflow.version })
  }

  await write(newest, newestDocument, `${newest.slug ?? newest.id}.yaml`)
  return [...written.values()]
}
