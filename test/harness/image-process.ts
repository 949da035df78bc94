/** The image process of a service under test (IMAGE_PROCESS=separate): found below its service, stopped and crashed. */
import { readdirSync, readFileSync } from 'node:fs'
import { until } from './wait.ts'

/** Finds the image process of a service by the id of the service. Undefined if there is none. Linux only. */
export function imageProcessOf(servicePid: number): number | undefined {
  return childrenOf(servicePid).find((pid) => read(`/proc/${pid}/cmdline`).includes('image-process/main.ts'))
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

export function waitUntilEnded(pid: number): Promise<boolean> {
  return until(`the end of ${pid}`, () => !/^State:\s+[^ZX\s]/m.test(read(`/proc/${pid}/status`)) || undefined)
}

function childrenOf(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    return tasks.flatMap((task) =>
      read(`/proc/${pid}/task/${task}/children`).trim().split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // The process has ended.
    return ''
  }
}
