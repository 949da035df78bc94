/** Processes of this machine, as /proc shows them. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { until } from './wait.ts'

/** Resolves when the process is gone, or is a zombie, which has no memory. */
export function waitUntilEnded(pid: number): Promise<boolean> {
  return until(`the end of ${pid}`, () => !/^State:\s+[^ZX\s]/m.test(readProc(`/proc/${pid}/status`)) || undefined)
}

/** Empty if the process has ended. */
export function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) =>
      readProc(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

/** Empty if the process has ended. */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}
