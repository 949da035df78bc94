/** Applies workflow files: YAML or JSON documents that can name image files in their folder. */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Schemas, WorkflowDocument } from '../../client/src/index.ts'
import { isObject } from '../../shared/values.ts'
import type { Issue } from '../errors.ts'
import { replaceImagePaths } from './image-paths.ts'
import type { CliApi } from './target.ts'
import { storeOnce, uploadFrom } from './upload-once.ts'
import { inUsedFile, isFile, replaceUsed, usedFile } from './used-files.ts'
import { readWorkflow } from './workflow-files.ts'

export interface AppliedWorkflow {
  id: string
  name: string
  version: number
  outcome: 'created' | 'updated' | 'unchanged'
  /** Problems that don't prevent the save, such as brand values that are missing. Not set if there are none. */
  warnings?: Issue[]
}

/**
 * Saves the document in the file: a new workflow, or a new version of the account's workflow with its slug, or else of that name. A parameter's
 * default, a value of an example or a literal `source` that starts with `./` or `../` is a path relative to the file. The image
 * is uploaded once, and its id replaces the path, also inside JSON. For nodes that run over lines of text, each line is one path.
 * A node's `workflow` that starts with `./` or `../` is a file that is applied first. `onUsed`: receives these files.
 */
export function applyWorkflow(
  file: string,
  api: CliApi,
  onUsed: (file: string, applied: AppliedWorkflow) => void = () => {},
): Promise<AppliedWorkflow> {
  const names = new Map<string, string>()

  async function apply(above: readonly string[]): Promise<{ applied: AppliedWorkflow; slug: string | undefined }> {
    const workflowFile = above.at(-1) ?? ''
    const { document, slug } = await readWorkflow(workflowFile)
    await replaceUsed(document, async (path, at) => {
      if (!isFile(path)) return undefined
      const used = usedFile(path, at, above)
      const known = names.get(used)
      if (known !== undefined) return known
      try {
        const { applied, slug: usedSlug } = await apply([...above, used])
        onUsed(used, applied)
        const name = `${usedSlug ?? applied.id}@${applied.version}`
        names.set(used, name)
        return name
      } catch (error) {
        throw inUsedFile(error, at, path)
      }
    })
    await replaceImagePaths(document, uploadFrom(workflowFile, storeOnce(api)))
    const isUsed = above.length > 1
    return { applied: await save(document, slug, api, isUsed), slug }
  }

  return apply([resolve(file)]).then(({ applied }) => applied)
}

/** `mayBeOlder`: a version with the same document is used as it is, also if there are newer ones. */
async function save(
  document: unknown,
  slug: string | undefined,
  api: CliApi,
  mayBeOlder: boolean,
): Promise<AppliedWorkflow> {
  const { client, request } = api
  const name = isObject(document) && typeof document.name === 'string' ? document.name : ''
  const body = { ...(document as WorkflowDocument), ...(slug === undefined ? {} : { slug }) }
  const known = await findSaved(api, slug, name)
  if (known === undefined) return applied(await client.workflows.create(body, request), 'created')
  const { id } = known
  if (mayBeOlder) {
    for await (const { version } of client.workflows.listVersions(id, {}, request)) {
      const saved = await client.workflows.getDocument(id, { version }, request)
      if (isDeepStrictEqual(saved, document)) return { id, name: known.name, version, outcome: 'unchanged' }
    }
  }
  const workflow = await client.workflows.replace(id, body, request)
  return applied(workflow, workflow.version === known.version ? 'unchanged' : 'updated')
}

/** The workflow with this slug, or else with this name. */
export async function findSaved(
  { client, request }: CliApi,
  slug: string | undefined,
  name: string,
): Promise<Pick<Schemas['Workflow'], 'id' | 'name' | 'slug' | 'version'> | undefined> {
  if (slug !== undefined) {
    const found = await client.workflows.get(slug, {}, request).catch((error: { code?: string }) => {
      if (error.code !== 'not_found') throw error
    })
    if (found) return found
  }
  if (name === '') return undefined
  for await (const found of client.workflows.list({ search: name, include: 'version' }, request))
    if (found.name === name) return found
  return undefined
}

function applied({ id, name, version = 1, warnings = [] }: Schemas['Workflow'], outcome: AppliedWorkflow['outcome']) {
  return { id, name, version, outcome, ...(warnings.length > 0 && { warnings }) }
}
