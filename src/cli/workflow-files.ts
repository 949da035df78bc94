/** Workflow files: YAML or JSON. */
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
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
