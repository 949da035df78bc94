/** The processes of one app or command: each belongs to a pool, does one job at a time and stays for the next. */
import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { note, type ProcessEnd } from '../domain/observed.ts'
import { limits } from '../limits.ts'
import { dataDescriptor } from './pool-program.ts'
import { residentBytes } from './process-limits.ts'

/** Processes of one pool are interchangeable. */
export interface Program {
  /** A TypeScript file of the project: see `serveJobs`. */
  program: URL
  env?: Record<string, string>
  /** A process that has more after a job ends. Default: unlimited. */
  idleBytesMax?: number
}

export class Processes {
  readonly #all = new Map<ChildProcess, Program>()
  /** Processes that wait for a job. The one that was used last is the last one. */
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>()
  /** How often `stop` was called. */
  stops = 0

  /** A process that waits for a job. */
  takeIdle(program: Program): ChildProcess | undefined {
    const child = this.#lastIdle(program)
    if (child !== undefined) this.#busy(child)
    return child
  }

  start(program: Program): ChildProcess {
    const cache = getCompileCacheDir()
    const child = fork(fileURLToPath(program.program), [], {
      // Of the environment, only what the program needs, and no flags: no keys, no settings. Libraries ask for a home, which a user of a
      // container without an entry in /etc/passwd has only by this variable.
      env: { HOME: '/', ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }), ...program.env },
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
    })
    this.#all.set(child, program)
    note('processStarted', { program: nameOf(program) })
    child.once('exit', () => this.#forget(child, 'crash'))
    child.on('error', () => this.kill(child, 'crash'))
    return child
  }

  /** Starts a process for the next job, unless one waits. */
  warm(program: Program): void {
    if (this.#lastIdle(program) === undefined) this.rest(this.start(program))
  }

  /** Keeps a process for the next job. It doesn't keep this process alive. */
  rest(child: ChildProcess): void {
    const program = this.#all.get(child)
    if (program === undefined || !child.connected) return
    if (residentBytes(child) > (program.idleBytesMax ?? Number.POSITIVE_INFINITY)) {
      this.kill(child, 'size')
      return
    }
    child.unref()
    child.channel?.unref()
    dataOf(child).unref()
    this.#idle.set(child, setTimeout(() => this.kill(child, 'idle'), limits.processIdleSeconds * 1_000).unref())
  }

  kill(child: ChildProcess, reason: ProcessEnd): void {
    this.#forget(child, reason)
    child.kill('SIGKILL')
  }

  /** Kills all processes; running jobs fail. */
  stop(): void {
    this.stops += 1
    for (const child of this.#all.keys()) this.kill(child, 'stop')
  }

  ids(): number[] {
    return [...this.#all.keys()].flatMap(({ pid }) => pid ?? [])
  }

  #lastIdle(program: Program): ChildProcess | undefined {
    return [...this.#idle.keys()].findLast((child) => this.#all.get(child) === program)
  }

  #busy(child: ChildProcess): void {
    clearTimeout(this.#idle.get(child))
    this.#idle.delete(child)
  }

  #forget(child: ChildProcess, reason: ProcessEnd): void {
    const program = this.#all.get(child)
    if (program !== undefined) note('processEnded', { program: nameOf(program), reason })
    this.#all.delete(child)
    this.#busy(child)
  }
}

const names = ['convert-svg', 'font', 'html', 'inspect', 'library', 'model', 'pdf', 'svg', 'text']

/** `html` for `html-child.ts`, which is `imaging-html-html-child.js` in the bundle. */
export function nameOf({ program }: Program): string {
  const file = basename(program.pathname).replace(/-child\.[jt]s$/, '')
  return names.find((name) => file === name || file.endsWith(`-${name}`)) ?? 'other'
}

/** Carries the data of results, which are too large for messages: those need several times the memory. */
export function dataOf(child: ChildProcess): Socket {
  return child.stdio[dataDescriptor] as Socket
}
