/**
 * Usage: npm run derive
 * node scripts/derive.ts --to <folder>
 *
 * Writes the files that are derived from the code: the reference in docs/ and .env.example. The same code gives the same
 * bytes on every machine, and test/checks/derived.test.ts checks that the committed files are up to date. The console's API types
 * are made from them, and aren't committed.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { derivedFiles, derivedFolders } from './derive/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { to: { type: 'string', default: root } } })
const target = resolve(values.to)
const files = await derivedFiles()

for (const folder of derivedFolders) {
  const existing = await readdir(join(target, folder)).catch(() => [])
  for (const name of existing)
    if (!files.has(`${folder}/${name}`)) await rm(join(target, folder, name), { recursive: true })
}
for (const [path, text] of files) {
  await mkdir(dirname(join(target, path)), { recursive: true })
  await writeFile(join(target, path), text)
}
if (target === resolve(root)) await import('./console-types.ts')
process.stdout.write(`${files.size} files\n`)
