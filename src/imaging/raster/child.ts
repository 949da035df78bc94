/** Runs work on untrusted input in a separate process, which is killed if it takes too long or too much memory. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { elapsedPerCpuSecond, elapsedSince, monotonicMs } from '../../domain/clock.ts'
import type { Fault } from '../../errors.ts'

export interface ChildOptions {
  /** A TypeScript file of the project, and its command line arguments. */
  program: string
  args: (string | number)[]
  input: Buffer
  /** Of CPU: see `createTimeLimit`. */
  seconds: number
  /** Of the job. */
  secondsLeft?: number
  memoryBytesMax: number
  /** Kills the process too; the promise rejects. */
  signal: AbortSignal
  /**
   * The size of the output, read from its first chunk, so that the output is not copied twice; bytes beyond it are
   * dropped.
   */
  outputBytes(head: Buffer): number
  tooLong(seconds: number): Fault
  tooLarge(): Error
}

/** Standard output and, at the end, standard error. The exit code has no meaning: the process always kills itself. */
export async function runChild(options: ChildOptions): Promise<{ output: Buffer; problem: string }> {
  const { program, args, input, seconds, secondsLeft, memoryBytesMax, signal, tooLong, tooLarge } = options
  const child = spawn(process.execPath, [program, ...args.map(String)], {
    // An empty environment: no keys, no settings.
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  })
  let ended: Error | undefined
  const end = (fault: Error) => {
    ended ??= fault
    child.kill('SIGKILL')
  }
  const exceededSeconds = createTimeLimit(child, seconds, secondsLeft)
  const poll = setInterval(() => {
    const exceeded = exceededSeconds()
    if (exceeded !== undefined) end(tooLong(exceeded))
    else if (residentBytes(child) > memoryBytesMax) end(tooLarge())
  }, childPollMs)
  try {
    const result = await outcome(child, input, options.outputBytes)
    if (ended) throw ended
    return result
  } finally {
    clearInterval(poll)
  }
}

export const childPollMs = 25
const problemCharsMax = 4_096

function outcome(child: ChildProcess, input: Buffer, bytesExpected: (head: Buffer) => number) {
  const { promise, resolve, reject } = Promise.withResolvers<{ output: Buffer; problem: string }>()
  let output = Buffer.alloc(0)
  let outputBytes = 0
  let problem = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    if (outputBytes === 0) output = Buffer.allocUnsafe(bytesExpected(chunk))
    chunk.copy(output, outputBytes)
    outputBytes += chunk.length
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    problem = `${problem}${chunk.toString()}`.slice(-problemCharsMax)
  })
  // The process may be killed, or reject the input, before it has read all of it.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  child.on('error', reject)
  child.on('close', () => resolve({ output: output.subarray(0, outputBytes), problem }))
  return promise
}

/** 0 if the system does not report memory; then only the time is limited. */
export function residentBytes(child: ChildProcess): number {
  try {
    // A file system of the kernel, so this never waits for a disk.
    const kibibytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes ?? 0) * 1_024
  } catch {
    return 0
  }
}

/** The elapsed seconds at which a process ends, whatever its CPU time is. */
export function elapsedSecondsMax(seconds: number, secondsLeft = Number.POSITIVE_INFINITY): number {
  return Math.min(seconds * elapsedPerCpuSecond, secondsLeft)
}

/**
 * Counts from now. The result is a function that returns the limit in seconds that the process has exceeded, or undefined. The limit
 * counts CPU time, so that the work of others on the machine doesn't refuse an input. If the system doesn't report CPU time, it counts
 * elapsed time. Elapsed time has a limit too.
 */
export function createTimeLimit(child: ChildProcess, seconds: number, secondsLeft?: number): () => number | undefined {
  const started = monotonicMs()
  const cpuStarted = cpuSeconds(child) ?? 0
  const elapsedMax = elapsedSecondsMax(seconds, secondsLeft)
  return () => {
    const elapsed = elapsedSince(started) / 1_000
    if (elapsed >= elapsedMax) return elapsedMax
    const cpu = cpuSeconds(child)
    return (cpu === undefined ? elapsed : cpu - cpuStarted) >= seconds ? seconds : undefined
  }
}

/** Of all threads, as in `man proc_pid_stat`. Undefined if the system doesn't report it, or the process is gone. */
function cpuSeconds(child: ChildProcess): number | undefined {
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    // The second field is a name in parentheses that may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
  } catch {
    return undefined
  }
}

/** The same for each system: see `man 7 time`. */
const ticksPerSecond = 100
