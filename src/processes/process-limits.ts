/** The time and the memory of a child process, as the system reports them. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { elapsedPerCpuSecond, elapsedSince, monotonicMs } from '../domain/clock.ts'

export const childPollMs = 25

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

/** CPU time of all threads, as in `man proc_pid_stat`. Undefined if the system doesn't report it, or the process is gone. */
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
