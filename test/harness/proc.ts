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

/** CPU time of all threads of a process in seconds; 0 if it has ended. */
export function cpuSecondsOf(pid: number): number {
  const stat = readProc(`/proc/${pid}/stat`)
  // The second field is a name in parentheses that may contain spaces. A tick is a hundredth of a second on each system: `man 7 time`.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
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
