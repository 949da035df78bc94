/** Runs work on untrusted input in a separate process, which is killed if it takes too long or too much memory. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Fault } from '../../errors.ts'

export interface ChildOptions {
  /** A TypeScript file of the project, and its command line arguments. */
  program: string
  args: (string | number)[]
  input: Buffer
  seconds: number
  memoryBytesMax: number
  /** Kills the process too; the promise rejects. */
  signal: AbortSignal
  /**
   * The size of the output, read from its first chunk, so that the output is not copied twice; bytes beyond it are
   * dropped.
   */
  outputBytes(head: Buffer): number
  tooLong(): Fault
  tooLarge(): Error
}

/** Standard output and, at the end, standard error. The exit code has no meaning: the process always kills itself. */
export async function runChild(options: ChildOptions): Promise<{ output: Buffer; problem: string }> {
  const { program, args, input, seconds, memoryBytesMax, signal, tooLong, tooLarge } = options
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
  const timer = setTimeout(() => end(tooLong()), seconds * 1_000)
  const poll = setInterval(() => {
    if (residentBytes(child) > memoryBytesMax) end(tooLarge())
  }, memoryPollMs)
  try {
    const result = await outcome(child, input, options.outputBytes)
    if (ended) throw ended
    return result
  } finally {
    clearTimeout(timer)
    clearInterval(poll)
  }
}

export const memoryPollMs = 25
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
