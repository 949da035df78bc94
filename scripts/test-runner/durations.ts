/** The durations of test files in the previous run, so that the longest jobs start first. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Job } from './jobs.ts'
import type { Done } from './run.ts'

const pathIn = (folder: string): string => join(folder, 'node_modules', '.cache', 'tintype-tests', 'durations.json')

/** Name of a job -> seconds. Empty in a new clone. */
export function readDurations(folder = process.cwd()): Record<string, number> {
  try {
    return JSON.parse(readFileSync(pathIn(folder), 'utf8'))
  } catch {
    return {}
  }
}

export function saveDurations(all: Done[], folder = process.cwd()): void {
  const measured = Object.fromEntries(all.map(({ job, seconds }) => [job.name, seconds]))
  try {
    mkdirSync(dirname(pathIn(folder)), { recursive: true })
    writeFileSync(pathIn(folder), JSON.stringify({ ...readDurations(folder), ...measured }))
  } catch {
    // The next run has another order.
  }
}

/** Jobs without a measured duration stay in their order, before the others. */
export function slowestFirst(jobs: Job[], durations: Record<string, number>): Job[] {
  const secondsOf = ({ name }: Job) => durations[name] ?? Number.POSITIVE_INFINITY
  return jobs.toSorted((a, b) => (secondsOf(a) === secondsOf(b) ? 0 : secondsOf(b) - secondsOf(a)))
}
