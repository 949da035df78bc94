/** Workflow files: YAML or JSON. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import { show } from '../../shared/text.ts'
import { isObject } from '../../shared/values.ts'
import { isSlug } from '../domain/workflows/workflow.ts'
import { invalidRequest } from '../errors.ts'

/** Bounds what a file of aliases can unfold to. */
const aliasesMax = 100

export async function readDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw invalidRequest([{ path: file, message: `can't be read (${cause.code})` }])
  })
  // Not above: a start that loads no example needs none of its files.
  const { parse } = await import('yaml')
  try {
    return parse(text, { maxAliasCount: aliasesMax }) as unknown
  } catch (error) {
    const [line] = (error as Error).message.split('\n')
    throw invalidRequest([{ path: file, message: `must be YAML or JSON: ${line}` }])
  }
}

/** A workflow in a file: its document, and its slug, which is not part of the document. */
export async function readWorkflow(file: string): Promise<{ document: unknown; slug?: string | undefined }> {
  const content = await readDocument(file)
  if (!isObject(content) || !Object.hasOwn(content, 'slug')) return { document: content }
  const { slug, ...document } = content
  if (typeof slug !== 'string' || !isSlug(slug))
    throw invalidRequest([
      { path: 'slug', message: `must be a slug (a-z, then a-z 0-9 -, at most 63), not ${show(slug)}` },
    ])
  return { document, slug }
}

/** Workflows below a folder, by their paths relative to it; not what is hidden, installed, or kept for tests. */
export async function findWorkflows(folder: string): Promise<string[]> {
  const found: string[] = []
  const walk = async (at: string) => {
    const entries = await readdir(at, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
      throw invalidRequest([{ path: at, message: `must be a readable folder (${cause.code})` }])
    })
    for (const entry of entries) {
      const path = join(at, entry.name)
      if (entry.name.startsWith('.') || skippedFolders.has(entry.name)) continue
      if (entry.isDirectory()) await walk(path)
      else if (extensions.has(extname(entry.name)) && isWorkflow(await readDocument(path)))
        found.push(relative(folder, path).replaceAll('\\', '/'))
    }
  }
  await walk(folder)
  return found.sort()
}

const skippedFolders = new Set(['golden', 'fixtures', 'node_modules'])
const extensions = new Set(['.yaml', '.yml', '.json'])

/** Other YAML and JSON may lie about: what has nodes or an output means to be a workflow. */
function isWorkflow(document: unknown): boolean {
  return typeof document === 'object' && document !== null && ('nodes' in document || 'output' in document)
}
