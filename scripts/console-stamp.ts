/** The sources of a built console, by their content, because times mean nothing after a clone or a copy. */
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const file = '.stamp'

/** Undefined if an installation has only the built files of the console. */
export async function stampOf(root: string): Promise<string | undefined> {
  const names = ['package-lock.json', ...(await sourcesOf(root))]
  if (!names.includes(join('console', 'package.json'))) return undefined
  const hash = createHash('sha256')
  for (const name of names.sort()) {
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

async function sourcesOf(root: string): Promise<string[]> {
  const names = await readdir(join(root, 'console')).catch(() => [])
  const sources = names
    .filter((name) => name !== 'node_modules' && !name.startsWith('dist'))
    .map((name) => join('console', name))
  return (await Promise.all([...sources, 'shared'].map((name) => filesBelow(root, name)))).flat()
}

async function filesBelow(root: string, name: string): Promise<string[]> {
  const entries = await readdir(join(root, name), { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return [name]
  const found = entries.map((entry) =>
    entry.isDirectory() ? filesBelow(root, join(name, entry.name)) : [join(name, entry.name)],
  )
  return (await Promise.all(found)).flat()
}
