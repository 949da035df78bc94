/** Has the console built beside the service, where what is there is not of the sources that are there. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { readStamp, stampOf } from './stamp.ts'

export type BuildState = { is: 'built' } | { is: 'building' } | { is: 'missing'; why: string }

export interface ConsoleBuild {
  /** Looks whether it is to be built, and begins; once the service is ready, so that it does not wait. */
  start(): void
  /** As soon as it is known. */
  state(): Promise<BuildState>
  stop(): void
}

interface BuildLog {
  info(message: string): void
  warn(facts: object, message: string): void
}

/** Of scripts/build-console.ts, where Vite is not installed. */
export const notInstalledCode = 3

const problemCharsMax = 2_000

/** `root`: the folder that `console` is in. */
export function createConsoleBuild({ root, log }: { root: string; log: BuildLog }): ConsoleBuild {
  const built = join(root, 'console', 'dist')
  const program = join(root, 'scripts', 'build-console.ts')
  const { promise: looked, resolve: settle } = Promise.withResolvers<void>()
  let state: BuildState = { is: 'building' }
  let stop = () => {}
  let isStopped = false

  async function look(): Promise<void> {
    const isThere = existsSync(join(built, 'index.html'))
    const stamp = await stampOf(root)
    if (isThere && (stamp === undefined || stamp === (await readStamp(built)))) state = { is: 'built' }
    else if (stamp === undefined)
      state = { is: 'missing', why: 'this installation has neither the console nor its sources' }
    else if (!isStopped) build(isThere)
  }

  function build(isThere: boolean): void {
    log.info('building the console')
    // Nothing of this process's environment: no key, no setting.
    const child = spawn(process.execPath, [program], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] })
    child.unref()
    stop = () => void child.kill()
    let problem = ''
    child.stderr.on('data', (chunk: Buffer) => {
      problem = `${problem}${chunk}`.slice(-problemCharsMax)
    })
    const fail = (code: number | null, cause: Error) => {
      if (isStopped) return
      const why =
        code === notInstalledCode
          ? 'what builds the console is not installed: run "npm ci" in the folder of Tintype, then start it again'
          : 'the console could not be built: run "npm run build" in the folder of Tintype to see why, then start it again'
      // What was built of older sources is better than nothing.
      state = isThere ? { is: 'built' } : { is: 'missing', why }
      log.warn({ err: cause }, isThere ? `${why}; until then, an older one is served` : why)
    }
    child.on('error', (error) => fail(null, error))
    child.on('close', (code) => {
      if (code !== 0) return fail(code, new Error(problem.trim()))
      state = { is: 'built' }
      log.info('the console is built')
    })
    // Requests come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  }

  return {
    start() {
      look().then(settle, (err) => {
        state = { is: 'missing', why: 'the sources of the console cannot be read' }
        log.warn({ err }, state.why)
        settle()
      })
    },
    async state() {
      await looked
      return state
    },
    stop() {
      isStopped = true
      settle()
      stop()
    },
  }
}
