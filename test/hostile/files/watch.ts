/** Measures the service while it reads a hostile file: health checks, executions of another account, and the CPU time of the processes that may die. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { poolProcessesOf } from '../../harness/executor.ts'
import { cpuSecondsOf } from '../../harness/proc.ts'
import type { Lap } from './live-probe.ts'

export interface Watch {
  /** The requests that ended since the last call. */
  lap(): Promise<Lap>
  stop(): void
}

/** Health checks, and executions with this key. */
export function watchService(origin: string, key: string, workflowId: string): Watch {
  const program = fileURLToPath(new URL('./live-probe.ts', import.meta.url))
  const child = fork(program, [origin, key, workflowId], { execArgv: [] })
  return {
    lap: () =>
      new Promise((resolve) => {
        child.once('message', (lap) => resolve(lap as Lap))
        child.send('lap')
      }),
    stop: () => child.kill(),
  }
}

/** Adds up the CPU time of the processes of the pools, also of those that have ended. Linux only. */
export function countPoolSeconds(servicePid: number): { seconds(): number; stop(): void } {
  const used = new Map<number, number>()
  const poll = () => {
    for (const pid of poolProcessesOf(servicePid)) used.set(pid, Math.max(used.get(pid) ?? 0, cpuSecondsOf(pid)))
  }
  const timer = setInterval(poll, 50)
  return {
    seconds() {
      poll()
      return [...used.values()].reduce((sum, each) => sum + each, 0)
    },
    stop: () => clearInterval(timer),
  }
}
