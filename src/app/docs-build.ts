/**
 * Builds the documentation when its first page is requested. A clone starts without it, because a build takes 20 s of CPU time, and most
 * people execute a workflow first.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { DocsBuild } from '../http/static/unbuilt-docs.ts'

const script = join('scripts', 'build-site.ts')

/** False without the packages that build it, or in an installation without sources. */
export function canBuildDocs(root: string): boolean {
  try {
    createRequire(join(root, 'site', 'package.json')).resolve('vitepress')
    return existsSync(join(root, script))
  } catch {
    return false
  }
}

/** Each call returns the state. The first one starts the build, in a process with a low priority. */
export function createDocsBuild(root: string, log: Pick<Logger, 'info' | 'error'>): () => DocsBuild {
  let state: DocsBuild | undefined

  function start(): DocsBuild {
    if (!canBuildDocs(root)) return 'not installed'
    // Without the environment, which contains secrets. Of concurrent builds of several processes one runs, and the others wait for it.
    const child = spawn(process.execPath, [join(root, script)], { cwd: root, env: {}, stdio: 'ignore' })
    const stop = () => child.kill()
    process.once('exit', stop)
    child.once('error', (err) => log.error({ err }, 'the documentation could not be built'))
    child.once('close', (code) => {
      process.off('exit', stop)
      state = code === 0 ? undefined : 'failed'
      if (code === 0) log.info('the documentation is built')
      else log.error({ code }, 'the documentation could not be built: run "npm run build" to see why')
    })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
    // A service that shuts down doesn't wait for it.
    child.unref()
    return 'running'
  }

  return () => {
    state ??= start()
    return state
  }
}
