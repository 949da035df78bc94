/** Child processes of tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'

export interface Child {
  /** The output so far. */
  lines: string[]
  /** Waits until it has printed this number of lines. Throws if it ends before. */
  printed(count: number): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Sends SIGKILL, and waits until the process is gone. */
  kill(): Promise<void>
  /** Waits until it has ended. Throws if it failed. */
  ended(): Promise<void>
}

/** Runs a file of this folder in a process that does not outlive the test. */
export function startChild(t: TestContext, file: string, ...args: string[]): Child {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(line))
  const closed = once(child, 'close')
  return {
    lines,
    async printed(count) {
      while (lines.length < count) {
        if (hasEnded(child)) throw new Error(`${file} ended after ${lines.length} lines of ${count}`)
        await Promise.race([once(reader, 'line'), closed])
      }
    },
    signal: (name) => child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await closed
    },
    async ended() {
      await closed
      if (child.exitCode !== 0) throw new Error(`${file} failed: ${child.exitCode ?? child.signalCode}`)
    },
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}
