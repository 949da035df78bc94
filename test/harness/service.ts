/** The real service, as a child process on a data directory of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ask } from './http.ts'
import { until } from './wait.ts'

export const repository = path.resolve(import.meta.dirname, '../..')
export const program = path.join(repository, 'bin/tintype.js')

export interface Service {
  /** `http://127.0.0.1:40123`, without a path. */
  origin: string
  dataDir: string
  /** Of the account made at the first start; empty when this start printed none. */
  key: string
  /** The printed command that executes an example; empty when this start printed none. */
  curl: string
  /** Every line of stdout and stderr so far, of all starts on this data directory. */
  lines: string[]
  /** Sends SIGTERM and waits for the end. Gives the exit code. */
  stop(): Promise<number | null>
  /** Sends a signal and returns at once. */
  signal(name: NodeJS.Signals): void
  /** SIGKILL to the service and all its children, as when the machine goes. */
  kill(): Promise<void>
  ended(): Promise<number | null>
  /** A new start on the same data, at the same address. */
  restart(environment?: Record<string, string>): Promise<Service>
  /** The most memory that the service itself ever had resident, in bytes; undefined where there is no /proc. */
  peakResidentBytes(): number | undefined
  /** Ends it if it runs, and removes its data. */
  remove(): Promise<void>
}

/** Every service of this run, also those that were ended: for a last look at what they wrote. */
export const everyService: Pick<Service, 'lines' | 'dataDir' | 'key'>[] = []

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) killTree(child)
})

export async function startService(environment: Record<string, string> = {}): Promise<Service> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tintype-test-'))
  const service = await launch(dataDir, { PORT: '0', ...environment }, [])
  everyService.push(service)
  return service
}

async function launch(dataDir: string, environment: Record<string, string>, lines: string[]): Promise<Service> {
  const firstLine = lines.length
  // Run from the data directory, not from the repository: an `.env` of whoever tests must not be read.
  const child = spawn(process.execPath, [program, 'serve'], {
    cwd: dataDir,
    env: { ...inherited(), HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'info', ...environment },
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
  collect(child.stdout, lines)
  collect(child.stderr, lines)

  const printed = (): string[] => lines.slice(firstLine)
  const looked = async (): Promise<string> => {
    // A second start has the port of the first, and may print the address of a proxy.
    const known = environment.PORT === '0' ? undefined : `http://127.0.0.1:${environment.PORT}`
    const found = known ?? firstMatch(printed(), /http:\/\/127\.0\.0\.1:\d+/)
    if (child.exitCode !== null) throw new Error(`The service ended with ${child.exitCode}:\n${printed().join('\n')}`)
    const answer = found && (await ask(found, '/health/ready', { keepAlive: false }).catch(() => undefined))
    return answer && answer.status === 200 ? found : ''
  }
  const origin = await until('an answer of /health/ready', async () => (await looked()) || undefined).catch((error) => {
    killTree(child)
    throw error
  })

  const service: Service = {
    origin,
    dataDir,
    key: firstMatch(printed(), /tt_live_[0-9A-Za-z]+/) ?? '',
    curl: printed().find((line) => line.startsWith('curl ')) ?? '',
    lines,
    ended: () => ended,
    signal: (name) => child.kill(name),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
    async kill() {
      killTree(child)
      await ended
    },
    restart: (changes = {}) => launch(dataDir, { ...environment, PORT: new URL(origin).port, ...changes }, lines),
    peakResidentBytes: () => (child.pid === undefined ? undefined : peakResidentBytes(child.pid)),
    async remove() {
      if (running.has(child)) killTree(child)
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return service
}

/** What a process needs to run at all, and none of the settings of whoever tests. */
export function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function collect(stream: NodeJS.ReadableStream, lines: string[]): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  stream.on('end', () => {
    if (rest !== '') lines.push(rest)
  })
}

function firstMatch(lines: string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const match = pattern.exec(line)
    if (match) return match[0]
  }
  return undefined
}

function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return
  for (const pid of [child.pid, ...descendants(child.pid)]) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself.
    }
  }
}

function peakResidentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  const kibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes) * 1024
}

/** On Linux only; elsewhere a child is ended by its parent's end. */
function descendants(root: number): number[] {
  if (process.platform !== 'linux') return []
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended by itself.
    }
  }
  const below = (pid: number): number[] =>
    [...parents].filter(([, parent]) => parent === pid).flatMap(([child]) => [child, ...below(child)])
  return below(root)
}
