/** A process of the service: start, output, end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { until } from './wait.ts'

export const repository = path.resolve(import.meta.dirname, '../..')
/** A suite can test another installation than the clone. */
export const program = process.env.TEST_PROGRAM ?? path.join(repository, 'bin/tintype.js')

export interface RunningProcess {
  pid: number | undefined
  /** The lines that it printed so far. */
  printed(): string[]
  /** The first match in its output. If the process ends before, throws an error with the entire output. */
  waitForOutput(pattern: RegExp): Promise<string>
  signal(name: NodeJS.Signals): void
  /** SIGKILL to the process and all its children, like a power cut. */
  kill(): Promise<void>
  /** The exit code. */
  ended(): Promise<number | null>
  isRunning(): boolean
  /** The peak of its resident memory in bytes; undefined without /proc. */
  peakResidentBytes(): number | undefined
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killTree(child)
})

/** Most tests don't need the console, and every service without a build would have to build it. */
const withoutConsole = { CONSOLE: 'false' }

/** `lines` collects the output of several processes. */
export function startProcess(
  args: string[],
  options: { cwd: string; env: Record<string, string> },
  lines: string[],
): RunningProcess {
  const ownLines: string[] = []
  const child = spawn(process.execPath, [program, ...args], {
    ...options,
    env: { ...withoutConsole, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve(code)
    })
  })
  for (const stream of [child.stdout, child.stderr]) collect(stream, [ownLines, lines])
  return {
    pid: child.pid,
    printed: () => ownLines,
    waitForOutput: (pattern) =>
      until(`${pattern} from ${args.join(' ')}`, async () => {
        if (child.exitCode !== null)
          throw new Error(`The process ended with ${child.exitCode}:\n${ownLines.join('\n')}`)
        return firstMatch(ownLines, pattern)
      }),
    signal: (name) => void child.kill(name),
    async kill() {
      killTree(child)
      await ended
    },
    ended: () => ended,
    isRunning: () => running.has(child),
    peakResidentBytes: () => (child.pid === undefined ? undefined : peakResidentBytes(child.pid)),
  }
}

/** The environment variables that a process needs to run and to start fast, without any setting of the developer. */
export function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

export function firstMatch(lines: string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const match = pattern.exec(line)
    if (match) return match[0]
  }
  return undefined
}

function collect(stream: NodeJS.ReadableStream, takers: string[][]): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    for (const lines of takers) lines.push(...parts)
  })
  stream.on('end', () => {
    if (rest !== '') for (const lines of takers) lines.push(rest)
  })
}

export function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return
  for (const pid of [child.pid, ...descendants(child.pid)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended.
    }
  }
}

function peakResidentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) * 1024
}

/** Linux only. On other systems a child ends with its parent. */
function descendants(root: number): number[] {
  if (process.platform !== 'linux') return []
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // The process has ended.
    }
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  return below(root)
}
