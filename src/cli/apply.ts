/** Applies workflow files: YAML or JSON documents that can name image files in their folder. */
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isObject } from '../../shared/values.ts'
import type { Workflow } from '../domain/workflow.ts'
import { invalidRequest } from '../errors.ts'
import type { CliServices } from './cli-services.ts'
import { replaceImagePaths } from './image-paths.ts'
import { readWorkflow } from './workflow-files.ts'

/**
 * Saves the document in the file: a new workflow, or a new version of the account's workflow with its slug, or else of that name. A parameter's
 * default, a value of an example or a literal `source` that starts with `./` or `../` is a path relative to the file. The image
 * is uploaded once, and its id replaces the path, also inside JSON. For nodes that run over lines of text, each line is one path.
 */
export async function applyWorkflow(
  file: string,
  accountId: string,
  { workflows, images }: Pick<CliServices['services'], 'workflows' | 'images'>,
): Promise<Pick<Workflow, 'id' | 'name' | 'version'> & { outcome: 'created' | 'updated' | 'unchanged' }> {
  const { document, slug } = await readWorkflow(file)
  const upload = async (path: string) => {
    const image = resolve(dirname(file), path)
    const bytes = await readFile(image).catch((cause) => {
      throw invalidRequest([{ path, message: `can't be read (${(cause as NodeJS.ErrnoException).code})` }])
    })
    return (await images.storeOnce(accountId, bytes, basename(image))).id
  }
  await replaceImagePaths(document, upload)

  const name = isObject(document) && typeof document.name === 'string' ? document.name : ''
  const known =
    (slug === undefined ? undefined : await workflows.findBySlug(accountId, slug)) ??
    (await workflows.findByName(accountId, name))
  if (known === undefined) {
    const { workflow } = await workflows.create(accountId, document, { slug })
    return { id: workflow.id, name: workflow.name, version: workflow.version, outcome: 'created' }
  }
  const { workflow } = await workflows.replace(accountId, known.workflow.id, document, { slug })
  const outcome = workflow.version === known.workflow.version ? 'unchanged' : 'updated'
  return { id: workflow.id, name: workflow.name, version: workflow.version, outcome }
}
