/** Applies workflow files: YAML or JSON documents that can name image files in their folder. */
import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../shared/values.ts'
import type { Workflow } from '../domain/workflows/workflow.ts'
import { type Issue, invalidRequest } from '../errors.ts'
import type { CliServices } from './cli-services.ts'
import { replaceImagePaths } from './image-paths.ts'
import { inUsedFile, isFile, replaceUsed, usedFile } from './used-files.ts'
import { readWorkflow } from './workflow-files.ts'

export type AppliedWorkflow = Pick<Workflow, 'id' | 'name' | 'version'> & {
  outcome: 'created' | 'updated' | 'unchanged'
  /** Problems that don't prevent the save, such as brand values that are missing. Not set if there are none. */
  warnings?: Issue[]
}

type Services = Pick<CliServices['services'], 'workflows' | 'images'>

/**
 * Saves the document in the file: a new workflow, or a new version of the account's workflow with its slug, or else of that name. A parameter's
 * default, a value of an example or a literal `source` that starts with `./` or `../` is a path relative to the file. The image
 * is uploaded once, and its id replaces the path, also inside JSON. For nodes that run over lines of text, each line is one path.
 * A node's `workflow` that starts with `./` or `../` is a file that is applied first. `onUsed`: receives these files.
 */
export function applyWorkflow(
  file: string,
  accountId: string,
  services: Services,
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
    await replaceImagePaths(document, uploadFrom(workflowFile, accountId, services.images))
    const isUsed = above.length > 1
    return { applied: await save(document, slug, accountId, services, isUsed), slug }
  }

  return apply([resolve(file)]).then(({ applied }) => applied)
}

/** `mayBeOlder`: a version with the same document is used as it is, also if there are newer ones. */
async function save(
  document: unknown,
  slug: string | undefined,
  accountId: string,
  { workflows }: Services,
  mayBeOlder: boolean,
): Promise<AppliedWorkflow> {
  const name = isObject(document) && typeof document.name === 'string' ? document.name : ''
  const known =
    (slug === undefined ? undefined : await workflows.findBySlug(accountId, slug)) ??
    (await workflows.findByName(accountId, name))
  if (known === undefined) {
    const { workflow, warnings } = await workflows.create(accountId, document, { slug })
    return {
      id: workflow.id,
      name: workflow.name,
      version: workflow.version,
      outcome: 'created',
      ...warningsField(warnings),
    }
  }
  const { id } = known.workflow
  if (mayBeOlder) {
    for (
      let version = known.workflow.version;
      version > Math.max(0, known.workflow.version - versionsSearched);
      version -= 1
    ) {
      const saved = await workflows.findAt(accountId, id, { version })
      if (isDeepStrictEqual(saved.document, document))
        return { id, name: saved.workflow.name, version, outcome: 'unchanged' }
    }
  }
  const { workflow, warnings } = await workflows.replace(accountId, id, document, { slug })
  const outcome = workflow.version === known.workflow.version ? 'unchanged' : 'updated'
  return { id: workflow.id, name: workflow.name, version: workflow.version, outcome, ...warningsField(warnings) }
}

function warningsField(warnings: Issue[]): { warnings?: Issue[] } {
  return warnings.length > 0 ? { warnings } : {}
}

const versionsSearched = 100

/** Stores the image at a path relative to the file, once, and returns its id. */
export function uploadFrom(
  file: string,
  accountId: string,
  images: Pick<CliServices['services']['images'], 'storeOnce'>,
): (path: string) => Promise<string> {
  return async (path) => {
    const image = resolve(dirname(file), path)
    const bytes = await readFile(image).catch((cause) => {
      throw invalidRequest([{ path, message: `can't be read (${(cause as NodeJS.ErrnoException).code})` }])
    })
    return (await images.storeOnce(accountId, bytes, basename(image))).id
  }
}
