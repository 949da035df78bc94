/**
 * Usage: npm run build
 *
 * Builds console/dist, unless a build of these sources exists. Of concurrent builds one runs, and the others wait for it.
 * `npm ci` also runs it (prepare.js).
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readStamp, stampOf, writeStamp } from './console-stamp.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'console')
const built = join(folder, 'dist')
const [next, old] = [join(folder, 'dist.next'), join(folder, 'dist.old')]

const waitMsMax = 600_000

// Like serve.lock: the operating system's lock on a file, released with the process however it dies.
const lock = new DatabaseSync(join(folder, 'dist.lock'), { timeout: waitMsMax })
lock.exec('begin exclusive')

const stamp = await stampOf(root)
if (stamp === undefined) throw new Error('The sources of the console are missing.')
if (existsSync(join(built, 'index.html')) && stamp === (await readStamp(built))) {
  process.stdout.write('console/dist is up to date.\n')
} else {
  const vite = findVite()
  if (vite === undefined) {
    process.stderr.write('Vite is not installed: run "npm ci" first.\n')
    process.exit(1)
  }
  const { build } = (await import(vite)) as { build(options: object): Promise<unknown> }
  await rm(next, { recursive: true, force: true })
  await build({ root: folder, logLevel: 'warn', build: { outDir: next, emptyOutDir: true } })
  await compressAll(next)
  await writeStamp(next, stamp)
  // Requests in between find no file; after a crash in between the next build repeats it.
  await rm(old, { recursive: true, force: true })
  if (existsSync(built)) await rename(built, old)
  await rename(next, built)
  await rm(old, { recursive: true, force: true })
  process.stdout.write('console/dist is built.\n')
}

function findVite(): string | undefined {
  const { resolve } = createRequire(join(folder, 'package.json'))
  try {
    resolve('@vitejs/plugin-react')
    return pathToFileURL(resolve('vite')).href
  } catch {
    return undefined
  }
}

/** A `.br` and a `.gz` next to each text: compressed once with the highest level, instead of for every response. */
async function compressAll(dir: string): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  await Promise.all(
    names.filter((name) => /\.(css|js|json|svg|webmanifest)$/.test(name)).map((name) => compress(join(dir, name))),
  )
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  const brotliOptions = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  const small = {
    br: await promisify(brotliCompress)(bytes, brotliOptions),
    gz: await promisify(gzip)(bytes, { level: 9 }),
  }
  for (const [ending, each] of Object.entries(small)) {
    if (each.length < bytes.length) await writeFile(`${file}.${ending}`, each)
  }
}
