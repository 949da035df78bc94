/** The sources of a build, by their content, because times mean nothing after a clone or a copy. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const file = '.stamp'

/**
 * The hash of the lock file, the sources of a workspace and `others`, which are files and folders.
 * Types don't count, because a build erases them.
 * Undefined if an installation has only the built files of the workspace.
 */
export async function stampOf(root: string, workspace: string, others: readonly string[]): Promise<string | undefined> {
  const sources = [...(await sourcesOf(root, workspace)), ...others]
  const names = ['package-lock.json', ...(await Promise.all(sources.map((name) => filesBelow(root, name)))).flat()]
  if (!names.includes(join(workspace, 'package.json'))) return undefined
  const hash = createHash('sha256')
  for (const name of names.filter((each) => !each.endsWith('.d.ts')).sort()) {
    const bytes = await readFile(join(root, name))
    hash.update(`${name} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

/** Undefined without a build, or if its sources are unknown. */
export function readStamp(built: string): Promise<string | undefined> {
  return readFile(join(built, file), 'utf8').catch(() => undefined)
}

export function writeStamp(built: string, stamp: string): Promise<void> {
  return writeFile(join(built, file), stamp)
}

export async function sourcesOf(root: string, workspace: string): Promise<string[]> {
  const names = await readdir(join(root, workspace)).catch(() => [])
  return names
    .filter((name) => name !== 'node_modules' && !name.startsWith('dist'))
    .map((name) => join(workspace, name))
}

async function filesBelow(root: string, name: string): Promise<string[]> {
  const entries = await readdir(join(root, name), { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return [name]
  const found = entries.map((entry) =>
    entry.isDirectory() ? filesBelow(root, join(name, entry.name)) : [join(name, entry.name)],
  )
  return (await Promise.all(found)).flat()
}
