/** Workflow files that use other files: `workflow: ./badge.yaml` is the workflow in that file. */
import { hash } from 'node:crypto'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { show } from '../../shared/text.ts'
import { isObject } from '../../shared/values.ts'
import { isSlug } from '../domain/workflows/workflow.ts'
import { asFault, invalidRequest } from '../errors.ts'
import type { DryRuns, UsableWorkflows, UsedWorkflow } from '../services/workflows/dry-runs.ts'
import type { Fixtures, WorkflowFile } from './fixtures.ts'
import { findWorkflows, readWorkflow } from './workflow-files.ts'

/** Replaces the text in `workflow` of each node that has one. `at`: its path, for messages. */
export async function replaceUsed(
  document: unknown,
  nameOf: (text: string, at: string) => Promise<string | undefined>,
): Promise<void> {
  if (!isObject(document) || !isObject(document.nodes)) return
  for (const [id, node] of Object.entries(document.nodes)) {
    if (!isObject(node) || typeof node.workflow !== 'string') continue
    const name = await nameOf(node.workflow, `nodes.${id}.workflow`)
    if (name !== undefined) node.workflow = name
  }
}

export function isFile(text: string): boolean {
  return /^\.\.?\//.test(text)
}

/** The file of a path in another file. `above`: the files that are being read, the outermost first. */
export function usedFile(path: string, at: string, above: readonly string[]): string {
  const file = resolve(dirname(above.at(-1) ?? ''), path)
  const way = () => [...above.slice(above.indexOf(file)), file].map((path) => basename(path)).join(' -> ')
  if (above.includes(file)) throw invalidRequest([{ path: at, message: `uses itself: ${way()}. Use another file.` }])
  return file
}

/** A problem of a used file, at the node that uses it. */
export function inUsedFile(error: unknown, at: string, path: string): Error {
  const { message, details } = asFault(error)
  const [first] = details.issues ?? []
  return invalidRequest([
    {
      path: at,
      message: `is ${show(path)}, which has a problem: ${first ? `${first.path}: ${first.message}` : message}`,
    },
  ])
}

/** Reads a workflow file with the files that it uses, for runs without a service. A slug is the file below `folder` that has it. */
export function usedFilesIn(folder: string, fixtures: Fixtures, check: DryRuns['check']) {
  let slugs: Promise<Map<string, string>> | undefined

  async function read(above: readonly string[]): Promise<WorkflowFile & { usable: UsableWorkflows }> {
    const [home = ''] = above
    const { document, open, brand } = await fixtures(above.at(-1) ?? '', dirname(home))
    const usable = new Map<string, UsedWorkflow>()
    await replaceUsed(document, async (text, at) => {
      const path = isFile(text) ? text : await fileOfSlug(text)
      if (path === undefined) return undefined
      const file = isFile(text) ? usedFile(path, at, above) : usedFile(resolve(path), at, above)
      const name = isFile(text) ? nameOfFile(file) : text
      try {
        const inner = await read([...above, file])
        usable.set(name, { name, id: file, version: 1, workflow: await check(inner.document, inner.usable) })
      } catch (error) {
        throw inUsedFile(error, at, text)
      }
      return name
    })
    return { document, open, brand, usable }
  }

  async function fileOfSlug(text: string): Promise<string | undefined> {
    slugs ??= readSlugs(folder)
    return (await slugs).get(text.replace(/@\d+$/, ''))
  }

  return (file: string) => read([resolve(file)])
}

async function readSlugs(folder: string): Promise<Map<string, string>> {
  const slugs = new Map<string, string>()
  for (const file of await findWorkflows(folder)) {
    const { slug } = await readWorkflow(join(folder, file)).catch(() => ({ slug: undefined }))
    if (slug !== undefined) slugs.set(slug, join(folder, file))
  }
  return slugs
}

/** Name of a file in the form that documents have: the name of the file, or a hash of its path. */
function nameOfFile(file: string): string {
  const name = basename(file, extname(file)).replace(/@\d+$/, '')
  return `${isSlug(name) ? name : 'file'}-${hash('sha256', file).slice(0, 8)}@1`
}
