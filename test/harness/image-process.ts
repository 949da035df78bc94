/** The image process of a service under test (IMAGE_PROCESS=separate): found below its service, stopped and crashed. */
import { childrenOf, readProc, waitUntilEnded } from './proc.ts'
import { until } from './wait.ts'

/** Finds the image process of a service by the id of the service. Undefined if there is none. Linux only. */
export function imageProcessOf(servicePid: number): number | undefined {
  return childrenOf(servicePid).find((pid) => readProc(`/proc/${pid}/cmdline`).includes('image-process/main.ts'))
}

/** Waits for the image process; with `not`, for the one that replaces this one. */
export function imageProcessId(servicePid: number, not?: number): Promise<number> {
  return until('the image process', () => {
    const found = imageProcessOf(servicePid)
    return found === not ? undefined : found
  })
}

/** Sends the signal of an invalid memory access. Returns when the process is gone. */
export async function crash(pid: number): Promise<void> {
  process.kill(pid, 'SIGSEGV')
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
