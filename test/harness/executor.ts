/** The executor of a service under test: found below its service, stopped and crashed. */
import { childrenOf, readProc, waitUntilEnded } from './proc.ts'
import { until } from './wait.ts'

/** Finds the executor of a service by the id of the service. Undefined if there is none. Linux only. */
export function executorOf(servicePid: number): number | undefined {
  return childrenOf(servicePid).find((pid) => readProc(`/proc/${pid}/cmdline`).includes('app/executor-program.ts'))
}

/** The processes of the pools: children of the service and of its executor. */
export function poolProcessesOf(servicePid: number): number[] {
  const executor = executorOf(servicePid)
  const parents = executor === undefined ? [servicePid] : [servicePid, executor]
  return parents.flatMap(childrenOf).filter((pid) => pid !== executor)
}

/** Waits for the executor; with `not`, for the one that replaces this one. */
export function executorId(servicePid: number, not?: number): Promise<number> {
  return until('the executor', () => {
    const found = executorOf(servicePid)
    return found === not ? undefined : found
  })
}

/** Sends the signal, by default that of an invalid memory access. Returns when the process is gone. */
export async function crash(pid: number, signal: NodeJS.Signals = 'SIGSEGV'): Promise<void> {
  process.kill(pid, signal)
  continueIfStopped(pid)
  await waitUntilEnded(pid)
}

/** A stopped process gets the signal once it continues. Another has possibly ended already. */
function continueIfStopped(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
