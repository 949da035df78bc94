/**
 * Builds `dist` of a workspace, unless a build of its sources exists. Of concurrent builds one runs, and the others wait for it.
 * A build that fails keeps the previous one.
 */
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { readStamp, stampOf, writeStamp } from './build-stamp.ts'

export interface WorkspaceBuild {
  /** Folder of the workspace. */
  workspace: string
  /** Files and folders outside of the workspace that the build also reads. */
  sources: readonly string[]
  /** Packages that the build needs. The first is passed to `build`. */
  packages: readonly [string, ...string[]]
  /** From 0 to 11. Higher is smaller, and 11 is ten times as slow as 9. */
  brotliQuality: number
  build(module: unknown, paths: { folder: string; out: string }): Promise<void>
}

export const root = fileURLToPath(new URL('..', import.meta.url))

const waitMsMax = 600_000

export async function buildWorkspace(options: WorkspaceBuild): Promise<void> {
  const { workspace, sources, packages, brotliQuality, build } = options
  const folder = join(root, workspace)
  const built = join(folder, 'dist')
  const [next, old] = [join(folder, 'dist.next'), join(folder, 'dist.old')]

  // Like serve.lock: the operating system's lock on a file, released with the process however it dies.
  const lock = new DatabaseSync(join(folder, 'dist.lock'), { timeout: waitMsMax })
  lock.exec('begin exclusive')
  try {
    const stamp = await stampOf(root, workspace, sources)
    if (stamp === undefined) throw new Error(`The sources of ${workspace} are missing.`)
    if (existsSync(join(built, 'index.html')) && stamp === (await readStamp(built))) {
      process.stdout.write(`${workspace}/dist is up to date.\n`)
      return
    }
    const [tool, ...missing] = packages.map((name) => locate(folder, name))
    if (tool === undefined || missing.includes(undefined)) {
      process.stderr.write(`${packages.join(' or ')} is not installed: run "npm ci" first.\n`)
      process.exitCode = 1
      return
    }
    await rm(next, { recursive: true, force: true })
    await build(await import(tool), { folder, out: next })
    await compressAll(next, brotliQuality)
    await writeStamp(next, stamp)
    // Requests in between find no file; after a crash in between the next build repeats it.
    await rm(old, { recursive: true, force: true })
    if (existsSync(built)) await rename(built, old)
    await rename(next, built)
    await rm(old, { recursive: true, force: true })
    process.stdout.write(`${workspace}/dist is built.\n`)
  } finally {
    lock.close()
  }
}

/** The URL of the module of an installed package. */
function locate(folder: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href
  } catch {
    return undefined
  }
}

/** A `.br` and a `.gz` next to each text: compressed once, instead of for every response. */
async function compressAll(folder: string, brotliQuality: number): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  await Promise.all(
    names
      .filter((name) => /\.(css|html|js|json|md|svg|txt|webmanifest)$/.test(name))
      .map((name) => compress(join(folder, name), brotliQuality)),
  )
}

async function compress(file: string, brotliQuality: number): Promise<void> {
  const bytes = await readFile(file)
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
  const params = { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const small = {
    br: await promisify(brotliCompress)(bytes, { params }),
    gz: await promisify(gzip)(bytes, { level: 9 }),
  }
  for (const [ending, content] of Object.entries(small)) {
    if (content.length < bytes.length) await writeFile(`${file}.${ending}`, content)
  }
}
