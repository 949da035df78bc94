/** Work on what strangers send, in a process of its own that is ended when it takes too long or too much. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Fault } from '../../errors.ts'

export interface ChildOptions {
  /** A TypeScript file of ours, and what it is told on its command line. */
  program: string
  args: (string | number)[]
  input: Buffer
  seconds: number
  memoryBytesMax: number
  /** Ends it too; the promise rejects. */
  signal: AbortSignal
  /** How much there will be, told by the first chunk of the output, so that no second copy of it is made; more is dropped. */
  outputBytes(head: Buffer): number
  tooLong(): Fault
  tooLarge(): Error
}

/** What it wrote to standard output and, at the end, to standard error. How it ended says nothing: it always kills itself. */
export async function runChild(options: ChildOptions): Promise<{ output: Buffer; problem: string }> {
  const { program, args, input, seconds, memoryBytesMax, signal, tooLong, tooLarge } = options
  const child = spawn(process.execPath, [program, ...args.map(String)], {
    // Nothing of this process's environment: no key, no setting.
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

const memoryPollMs = 25
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
  // It may be killed, or refuse, before it has read everything.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  child.on('error', reject)
  child.on('close', () => resolve({ output: output.subarray(0, outputBytes), problem }))
  return promise
}

/** 0 where the system does not tell; there only the time is bounded. */
function residentBytes(child: ChildProcess): number {
  try {
    // In the file system of the kernel: never waits for a disk.
    const kibibytes = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes ?? 0) * 1_024
  } catch {
    return 0
  }
}
