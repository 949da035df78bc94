/** The time and the memory of a child process, as the system reports them. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { elapsedSince, monotonicMs } from '../domain/clock.ts'

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

/** Elapsed seconds for each second of CPU time, at most. On a busy machine, a process waits for a core most of the time. */
export const elapsedPerCpuSecond = 12

/** The limit that a process has reached, and its times in seconds. */
export interface ReachedLimit {
  kind: 'work' | 'deadline' | 'busy'
  cpu: number
  elapsed: number
}

/**
 * Counts from now. The result is a function that returns the limit that the process has reached, or undefined. `seconds` is CPU time, so
 * that the work of others on the machine doesn't refuse an input (`work`). If the system doesn't report CPU time, it is elapsed time. A
 * process that got too little CPU for a long time ends too (`busy`), and one whose caller has no time left (`deadline`).
 */
export function createTimeLimit(
  child: ChildProcess,
  seconds: number,
  secondsLeft = Number.POSITIVE_INFINITY,
): () => ReachedLimit | undefined {
  const started = monotonicMs()
  const cpuStarted = cpuSeconds(child) ?? 0
  return () => {
    const elapsed = elapsedSince(started) / 1_000
    const now = cpuSeconds(child)
    const cpu = now === undefined ? elapsed : now - cpuStarted
    if (cpu >= seconds) return { kind: 'work', cpu, elapsed }
    if (elapsed >= secondsLeft) return { kind: 'deadline', cpu, elapsed }
    return elapsed >= seconds * elapsedPerCpuSecond ? { kind: 'busy', cpu, elapsed } : undefined
  }
}

/**
 * Whether the machine is too busy for a process that hasn't responded for a time: it would run if it got a core, and has used less CPU than
 * `seconds` since then.
 */
export function isWaitingForCore(child: ChildProcess, { cpuBefore, seconds }: { cpuBefore: number; seconds: number }) {
  const now = timesOf(child)
  return now?.isRunnable === true && now.cpu - cpuBefore < seconds
}

export function cpuSeconds(child: ChildProcess): number | undefined {
  return timesOf(child)?.cpu
}

/** CPU time of all threads, and the state of the main thread: `man proc_pid_stat`. Undefined if the system doesn't report it, or the process is gone. */
function timesOf(child: ChildProcess): { cpu: number; isRunnable: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    // The second field is a name in parentheses that may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { cpu: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, isRunnable: fields[0] === 'R' }
  } catch {
    return undefined
  }
}

/** The same for each system: see `man 7 time`. */
const ticksPerSecond = 100
