/**
 * Builds `dist` of a workspace, unless a build of its sources exists. Of concurrent builds one runs, and the others wait for it.
 * A build that fails keeps the previous one. The packages that it needs are development dependencies: if they aren't installed, they are
 * installed for the build alone, from the lock file.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readStamp, sourcesOf, stampOf, writeStamp } from './build-stamp.ts'

export interface WorkspaceBuild {
  /** Folder of the workspace. */
  workspace: string
  /** Files and folders outside of the workspace that the build also reads. */
  sources: readonly string[]
  /** Packages that the build needs. The first is passed to `build`. */
  packages: readonly [string, ...string[]]
  build(module: unknown, paths: { folder: string; out: string }): Promise<void>
}

export const root = fileURLToPath(new URL('..', import.meta.url))

const waitMsMax = 600_000

export async function buildWorkspace(options: WorkspaceBuild): Promise<void> {
  const { workspace, sources, packages, build } = options
  const folder = join(root, workspace)
  const built = join(folder, 'dist')
  const [next, old, apart] = ['next', 'old', 'apart'].map((ending) => `${built}.${ending}`) as [string, string, string]

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
    await rm(next, { recursive: true, force: true })
    const [tool, ...others] = packages.map((name) => locate(folder, name))
    if (tool === undefined || others.includes(undefined)) {
      await buildApart(options, apart)
      await rename(join(apart, workspace, 'dist'), next)
    } else {
      await build(await import(tool), { folder, out: next })
    }
    await writeStamp(next, stamp)
    // Requests in between find no file; after a crash in between the next build repeats it.
    await rm(old, { recursive: true, force: true })
    if (existsSync(built)) await rename(built, old)
    await rename(next, built)
    await rm(old, { recursive: true, force: true })
    process.stdout.write(`${workspace}/dist is built.\n`)
  } finally {
    await rm(apart, { recursive: true, force: true })
    lock.close()
  }
}

/** Builds in a folder that has the packages of the workspace, and copies of the files that the build reads. */
async function buildApart({ workspace, sources }: WorkspaceBuild, apart: string): Promise<void> {
  process.stdout.write(`Installing the packages that build ${workspace}/dist, for this build alone.\n`)
  await rm(apart, { recursive: true, force: true })
  const files = ['package.json', 'package-lock.json', '.npmrc']
  const scripts = (await readdir(join(root, 'scripts'))).filter((name) => name.startsWith('build-'))
  for (const name of [
    ...files,
    ...scripts.map((name) => join('scripts', name)),
    ...(await sourcesOf(root, workspace)),
    ...sources,
  ]) {
    await mkdir(dirname(join(apart, name)), { recursive: true })
    await cp(join(root, name), join(apart, name), { recursive: true })
  }
  const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { cwd: apart })
  // The install that runs this may have been asked to leave out development dependencies.
  await run('npm', 'ci', '--include=dev', '--ignore-scripts', '--no-update-notifier', '--workspace', workspace)
  await run(process.execPath, join('scripts', `build-${workspace}.ts`))
}

/** The URL of the module of an installed package. */
function locate(folder: string, name: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href
  } catch {
    return undefined
  }
}
