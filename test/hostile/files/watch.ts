/** What happens next to a hostile file: health checks, another account, and the CPU time of the processes that may die. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Client } from '../../harness/client.ts'
import { poolProcessesOf } from '../../harness/executor.ts'
import { cpuSecondsOf } from '../../harness/proc.ts'
import type { Execution } from '../../harness/types.ts'
import type { Lap } from './live-probe.ts'

export interface Watch {
  /** The checks since the last call. */
  lap(): Promise<Lap>
  stop(): void
}

export function watchHealth(origin: string): Watch {
  const child = fork(fileURLToPath(new URL('./live-probe.ts', import.meta.url)), [origin], { execArgv: [] })
  return {
    lap: () =>
      new Promise((resolve) => {
        child.once('message', (lap) => resolve(lap as Lap))
        child.send('lap')
      }),
    stop: () => child.kill(),
  }
}

/** Executions of another account, one after the other. */
export function runNeighbour(
  api: Client,
  workflowId: string,
): { times(): number[]; failures: string[]; stop(): Promise<void> } {
  let isOver = false
  let times: number[] = []
  const failures: string[] = []
  const running = (async () => {
    for (let width = 1; !isOver; width = (width % 300) + 1) {
      const startMs = performance.now()
      const reply = await api
        .post<Execution>('/workflows/execute', { workflowId, parameters: { width } })
        .catch((error: Error) => error)
      times.push(performance.now() - startMs)
      if (reply instanceof Error) failures.push(reply.message)
      else if (reply.status !== 200) failures.push(reply.text.slice(0, 500))
    }
  })()
  return {
    times() {
      const since = times
      times = []
      return since
    },
    failures,
    async stop() {
      isOver = true
      await running
    },
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
