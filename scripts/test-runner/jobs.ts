/**
 * The test files and how they share processes. A process costs about half a second of CPU before the first test runs, so
 * unit tests run many files in one process. Files that start services, browsers or child processes get their own process.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Tests that run in one process: one file, or several unit test files. */
export interface Job {
  name: string
  files: string[]
  /** Environment variables for this job only. */
  environment?: Record<string, string>
}

/** `npm run check` runs them: they read sources, so a change of behaviour can't break them. */
export const checks = 'test/checks/*.test.ts'

const patterns = ['src/**/*.test.ts', 'shared/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts']

/** Files with their own process, and the reason. Every other file shares one. */
const ownProcess: { files: string; reason: string }[] = [
  { files: 'test/*/**', reason: 'suites that start services, browsers and child processes, or measure this process' },
  { files: 'src/local-models/*', reason: 'they start, kill and count the one process for models' },
]

/** A hook outside of any suite would run for all tests of the process, also for those of other files. */
const outermostHook = /^(before|beforeEach|afterEach)\(/m

/** Fewer processes pay less start-up time; smaller jobs keep both cores busy until the end. */
const filesPerProcess = 8

/** The longest suites start first, so that nothing waits for them at the end. For runs without measured durations (durations.ts). */
const first = [
  'test/checks/derived.test.ts',
  'test/browser/editor.test.ts',
  'test/faults/executor.test.ts',
  'test/faults/executor.matrix.ts',
  'test/api/all.test.ts',
  'test/browser/pages.test.ts',
  'test/api/processes.test.ts',
  'test/faults/batch-kills.test.ts',
  'test/faults/every-call.test.ts',
  'test/contract/sqlite.test.ts',
  'src/providers/calls/orphans.test.ts',
  'src/imaging/raster/read/pdf.test.ts',
  'test/golden/golden.test.ts',
  'test/neighbours/queue.test.ts',
  'test/faults/kill-points.test.ts',
  'test/faults/chaos.matrix.ts',
  'test/faults/provider-kills.matrix.ts',
  'test/contract/postgres.matrix.ts',
]

/**
 * Suites that `npm test` leaves to the full run, so that it takes at most three minutes on two cores -> the test in `npm test` of
 * the main path of the same feature. No feature is tested in the full run only.
 */
export const slowSuites: Record<string, string> = {
  'src/credentials/hostile.test.ts': 'src/credentials/credentials.test.ts',
  'src/credentials/signing.test.ts': 'src/credentials/credentials.test.ts',
  'src/imaging/raster/read/hostile.test.ts': 'src/processes/process-pool.test.ts',
  'src/local-models/extremes.test.ts': 'src/local-models/own-models.test.ts',
  'src/local-models/model-process.test.ts': 'src/local-models/own-models.test.ts',
  'src/local-models/runner.test.ts': 'src/local-models/own-models.test.ts',
  'test/browser/editor.test.ts': 'test/browser/pages.test.ts',
  'test/bundle/features.test.ts': 'test/bundle/start.test.ts',
  'test/contract/sqlite-processes.test.ts': 'test/contract/sqlite.test.ts',
  'test/faults/every-call.test.ts': 'test/faults/batch-kills.test.ts',
  'test/faults/executor.test.ts': 'test/faults/batch-kills.test.ts',
  'test/faults/kill-points.test.ts': 'test/faults/batch-kills.test.ts',
  'test/faults/lost-workers.test.ts': 'src/providers/calls/orphans.test.ts',
  'test/faults/pool-kills.test.ts': 'src/processes/process-pool.test.ts',
  'test/faults/provider-kills.test.ts': 'src/providers/calls/crash.test.ts',
  'test/faults/provider-secrets.test.ts': 'src/app/log.test.ts',
  'test/faults/webhook-kills.test.ts': 'src/worker/webhooks.test.ts',
  'test/golden/conformance.test.ts': 'test/golden/golden.test.ts',
  'test/hostile/files.test.ts': 'src/processes/process-pool.test.ts',
  'test/hostile/largest-documents.test.ts': 'src/engine/check/check.test.ts',
  'test/html/chromium.test.ts': 'test/html/cards.test.ts',
  'test/neighbours/limits.test.ts': 'src/storage/queue/slots.test.ts',
  'test/neighbours/neighbours.test.ts': 'src/domain/fair-queue.test.ts',
  'test/neighbours/queue.test.ts': 'src/storage/queue/claims.test.ts',
  'test/photos/all-photos.test.ts': 'test/photos/smart-crop.test.ts',
  'test/svg-import/large-files.test.ts': 'test/svg-import/svg-import.test.ts',
  'test/workflows/frames.test.ts': 'test/html/frames.test.ts',
  'test/workflows/marked-images.test.ts': 'test/golden/golden.test.ts',
  'test/workflows/same-images.test.ts': 'test/golden/golden.test.ts',
  'test/workflows/reexecuted-examples.test.ts': 'test/workflows/shipped-examples.test.ts',
}

/** Test files; without globs: all tests but the checks. */
export function findFiles(globs?: string[], folder = process.cwd()): string[] {
  const found = globSync(globs ?? patterns, { cwd: folder, exclude: ['**/node_modules/**'] }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  return [...new Set(found)].filter((file) => globs !== undefined || !posix.matchesGlob(file, checks)).sort()
}

export function jobsOf(files: string[], folder = process.cwd()): Job[] {
  const isOwn = (file: string) =>
    ownProcess.some((each) => posix.matchesGlob(file, each.files)) ||
    outermostHook.test(readFileSync(join(folder, file), 'utf8'))
  const jobs = files.filter(isOwn).map((file): Job => ({ name: file, files: [file] }))
  const shared = files.filter((file) => !isOwn(file))
  for (let at = 0; at < shared.length; at += filesPerProcess) {
    const part = shared.slice(at, at + filesPerProcess)
    const name = part.length === 1 ? `${part[0]}` : `${part[0]} to ${part.at(-1)} (${part.length} files)`
    jobs.push({ name, files: part })
  }
  return longestFirst(jobs)
}

export function longestFirst(jobs: Job[]): Job[] {
  const rank = ({ files }: Job) =>
    Math.min(first.length, ...files.map((file) => first.indexOf(file)).filter((at) => at >= 0))
  return jobs.toSorted((a, b) => rank(a) - rank(b))
}
