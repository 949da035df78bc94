/**
 * Adds missing hashes to package-lock.json from the registry: `node scripts/lock-integrity.ts`. npm writes none for
 * packages of other platforms that it couldn't download. A package that the registry doesn't have is named, and stays
 * unchanged.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface Entry {
  name?: string
  version: string
  link?: boolean
  integrity?: string
}

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock: { packages: Record<string, Entry> } = JSON.parse(readFileSync(file, 'utf8'))
let isIncomplete = false

for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes('node_modules/') || entry.link || entry.integrity) continue
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const integrity = integrityOf(`${name}@${entry.version}`)
  if (integrity === undefined) {
    isIncomplete = true
    process.stdout.write(`${name}@${entry.version}: not in the registry\n`)
    continue
  }
  const { version, ...rest } = entry
  lock.packages[path] = { version, integrity, ...rest }
  process.stdout.write(`${name}@${version}: added\n`)
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
if (isIncomplete) process.exitCode = 1

function integrityOf(spec: string): string | undefined {
  try {
    const output = execFileSync('npm', ['view', spec, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return output.startsWith('sha512-') ? output.trim() : undefined
  } catch {
    return undefined
  }
}
