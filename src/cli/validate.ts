/** `tintype workflows validate`: checks a file with the service, and saves nothing. */
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Schemas } from '../../client/src/index.ts'
import { isObject } from '../../shared/values.ts'
import { invalidRequest } from '../errors.ts'
import { findSaved } from './apply.ts'
import { replaceImagePaths } from './image-paths.ts'
import type { CliApi, Output } from './target.ts'
import { isFile, replaceUsed, usedFile } from './used-files.ts'
import { readWorkflow } from './workflow-files.ts'

/** Takes the place of image files, which are not uploaded. A validation downloads nothing. */
const placeholder = 'https://example.com/image.png'

export async function validateFile(file: string, api: CliApi): Promise<Output & { valid: boolean }> {
  const { document } = await readWorkflow(file)
  await replaceImagePaths(document, async (path) => {
    await stat(resolve(dirname(file), path)).catch((cause: NodeJS.ErrnoException) => {
      throw invalidRequest([{ path, message: `can't be read (${cause.code})` }])
    })
    return placeholder
  })
  await replaceUsed(document, async (path, at) => {
    if (!isFile(path)) return undefined
    const used = await readWorkflow(usedFile(path, at, [resolve(file)]))
    const name = isObject(used.document) ? String(used.document.name) : ''
    const saved = await findSaved(api, used.slug, name)
    if (saved === undefined)
      throw invalidRequest([{ path: at, message: `is ${path}, which is not saved yet. Apply that file first.` }])
    return `${saved.slug ?? saved.id}@${saved.version}`
  })
  const answer = await api.client.workflows.validate(document as Schemas['WorkflowsValidateRequest'], api.request)
  return { answer, view: textOf(file, answer), valid: answer.valid }
}

function textOf(file: string, { valid, issues, warnings, steps, cost }: Schemas['Validation']): string {
  const costs = cost !== null && cost.maxUsd > 0 ? `, ${cost.minUsd} to ${cost.maxUsd} USD` : ''
  return [
    valid ? `${file} is valid: ${steps.length} steps${costs}` : `${file} is invalid`,
    ...issues.map(({ path, message }) => `  ${path || '(document)'}: ${message}`),
    ...warnings.map(({ path, message }) => `  Warning: ${path}: ${message}`),
  ].join('\n')
}
