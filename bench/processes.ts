/** Servers as child processes, and their figures from the kernel. */
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { EnginePart, EngineResults } from './engine/index.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))
const tintype = join(root, 'bin', 'tintype.js')

export type Settings = Record<string, string>

export interface RunningProcess {
  pid: number
  /** Milliseconds from the start of the process to its ready message. */
  startMs: number
  stop(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface ServerProcess extends RunningProcess {
  url: string
}

/** `tintype serve` of another installation: a clone, or a folder with the npm package. */
export function startInstallation(folder: string, dataDir: string, settings: Settings = {}): Promise<ServerProcess> {
  return startServer([join(folder, 'bin', 'tintype.js'), 'serve'], { DATA_DIR: dataDir, PORT: '0', ...settings }, ready)
}

const ready = /ready[\s\S]*API +(http:\/\/\S+)\/v1/

/**
 * Starts a service without the step cache, unless `settings` enable it: otherwise repeated executions would measure
 * nothing.
 */
export function startService(dataDir: string, settings: Settings = {}, ...options: string[]): Promise<ServerProcess> {
  const env = { DATA_DIR: dataDir, PORT: '0', CACHE_MAX_BYTES: '0', ...settings }
  return startServer([tintype, 'serve', ...options], env, ready)
}

/** `tintype worker`, also without the step cache. */
export function startWorkerProcess(dataDir: string, settings: Settings): Promise<RunningProcess> {
  return start([tintype, 'worker'], { DATA_DIR: dataDir, CACHE_MAX_BYTES: '0', ...settings }, /(works): /)
}

/** A server of this folder that prints `port N`, with the thread pool and memory settings of the service. */
export function startBare(like: ServerProcess, file: string, ...args: string[]): Promise<ServerProcess> {
  const settings = readFileSync(`/proc/${like.pid}/environ`, 'utf8')
    .split('\0')
    .map((line): [string, string] => [line.split('=')[0] ?? '', line.slice(line.indexOf('=') + 1)])
    .filter(([name]) => /^(UV_|MALLOC_|GLIBC_|NODE_OPTIONS$)/.test(name))
  return startServer(
    [fileURLToPath(new URL(file, import.meta.url)), ...args],
    Object.fromEntries(settings),
    /port (\d+)/,
  )
}

/** One part of the engine, measured in a separate process with the memory settings of the service. */
export async function measureEngine<Part extends EnginePart>(part: Part): Promise<EngineResults[Part]> {
  const file = fileURLToPath(new URL('./engine/index.ts', import.meta.url))
  const env = { ...process.env, UV_THREADPOOL_SIZE: '8', MALLOC_ARENA_MAX: '2' }
  const { stdout } = await promisify(execFile)(process.execPath, [file, part], { env, cwd: root })
  return JSON.parse(stdout) as EngineResults[Part]
}

/** Runs a command of the `tintype` CLI and returns its output. */
export async function cli<Result>(dataDir: string, settings: Settings, ...args: string[]): Promise<Result> {
  const options = { env: { ...process.env, DATA_DIR: dataDir, ...settings } }
  const { stdout } = await promisify(execFile)(process.execPath, [tintype, ...args, '--json'], options)
  return JSON.parse(stdout) as Result
}

async function startServer(args: string[], settings: Settings, ready: RegExp): Promise<ServerProcess> {
  const { origin, ...server } = await start(args, settings, ready)
  return { ...server, url: origin.startsWith('http') ? origin : `http://127.0.0.1:${origin}` }
}

/** `origin` is the match of `ready` in the output of the process. */
function start(args: string[], settings: Settings, ready: RegExp): Promise<RunningProcess & { origin: string }> {
  const env = { ...process.env, ...settings }
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env, cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  return new Promise((resolve, reject) => {
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (ready.test(printed)) return
      printed += text
      const [, origin] = ready.exec(printed) ?? []
      if (origin === undefined || child.pid === undefined) return
      resolve({
        pid: child.pid,
        origin,
        startMs: performance.now() - startedAt,
        stop: () => end('SIGTERM'),
        kill: () => end('SIGKILL'),
      })
    })
    child.once('error', reject)
    ended.then(() => reject(new Error(`${args.join(' ')} ended before it was ready`)))
  })
}

if (!existsSync('/proc/self/stat'))
  throw new Error('The benchmark reads CPU and memory of processes from /proc: it runs on Linux only.')

/** CPU time of all threads since the start of the process, user and system. The kernel has ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Like `cpuMs`, for a process and all its children, including ended ones. */
export function treeCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const waitedForMs = (Number(fields[13]) + Number(fields[14])) * 10
  return childrenOf(pid).reduce((sum, child) => sum + treeCpuMs(child), cpuMs(pid) + waitedForMs)
}

/** CPU time of all processes of the machine, in milliseconds of one core. */
export function machineCpuMs(): number {
  const [, ...fields] = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/ +/).map(Number) ?? []
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields
  return (user + nice + system + irq + softirq + steal) * 10
}

/** Memory of a process and all its children, in MiB: shared pages count once. */
export function treeMemoryMiB(pid: number): number {
  const kibibytes = Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
  return childrenOf(pid).reduce((sum, child) => sum + treeMemoryMiB(child), kibibytes / 1024)
}

function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? [] : children.split(' ').map(Number)
}

/** Current and peak resident memory. */
export function memoryMiB(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024)
  return { now: field('VmRSS'), peak: field('VmHWM') }
}
