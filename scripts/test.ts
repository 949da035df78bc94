/**
 * Usage: npm test [-- files or globs...] [--full] [--concurrency 3] [--name-pattern <pattern>] [--minutes 20]
 *        npm test -- --changed [base] [--full]
 *
 * Runs the `*.test.ts` of src, console and test, or only the named files. `--changed`: only those that reach a file that has changed
 * since the branch left `base`, by default main, also in the work tree, and a few smoke tests (test-runner/changed.ts). `--full` adds the slow suites (`slowSuites` in
 * test-runner/jobs.ts) and repeats property tests and fault loops many times, which `TEST_FULL=1` does as well.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isFull } from '../test/harness/repetitions.ts'
import { changedFiles, filesOf, smoke, testsThatReach } from './test-runner/changed.ts'
import { readDurations, saveDurations, slowestFirst } from './test-runner/durations.ts'
import { findFiles, jobsOf, slowSuites } from './test-runner/jobs.ts'
import { printDone, printSummary } from './test-runner/report.ts'
import { isFailed, runJobs } from './test-runner/run.ts'

const { values, positionals } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    // More than cores: suites that start services and browsers often wait for them, and others for timers and the disk.
    concurrency: { type: 'string', default: String(availableParallelism() + 2) },
    minutes: { type: 'string' },
    'name-pattern': { type: 'string' },
  },
  allowPositionals: true,
})
const [base] = positionals
const all = findFiles(values.changed || positionals.length === 0 ? undefined : positionals)
const found = values.changed ? changedOf(all) : all
const isSlow = (file: string) => Object.hasOwn(slowSuites, file)
const slow = (positionals.length > 0 && !values.changed) || values.full || isFull ? [] : found.filter(isSlow)
const files = found.filter((file) => !slow.includes(file))
if (files.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}.\n`)
  process.exit(1)
}
const startMs = performance.now()
const done = await runJobs(slowestFirst(jobsOf(files), readDurations()), {
  concurrency: Number(values.concurrency),
  // Of a group of files. In an ordinary run none takes a third of it, so what reaches it hangs.
  minutesMax: Number(values.minutes ?? (values.full || isFull || positionals.length > 0 ? 60 : 20)),
  environment: values.full && !isFull ? { TEST_FULL: '1' } : {},
  namePattern: values['name-pattern'],
  onDone: printDone,
})
if (values['name-pattern'] === undefined) saveDurations(done)
printSummary(done, performance.now() - startMs, [
  ...(slow.length > 0 ? [`Not run here: ${slow.length} slow files. "npm run test:full" runs them as well.`] : []),
  ...(positionals.length === 0 ? [`Not run here: ${servers()}. "npm run test:matrix" runs them.`] : []),
])
process.exitCode = done.some(isFailed) || done.every(({ results }) => results.length === 0) ? 1 : 0

function servers(): string {
  return `${findFiles(['test/**/*.matrix.ts']).length} files that need PostgreSQL or an S3 server`
}

/** The tests that reach a change, and the smoke tests. */
function changedOf(tests: string[]): string[] {
  const folder = process.cwd()
  const { since, changed } = changedFiles(base, folder)
  const { reached, all: cause } = testsThatReach(changed, tests, filesOf(folder), folder)
  const of = cause === undefined ? `${reached.length} of ${tests.length} test files reach them` : `${cause} selects all`
  process.stdout.write(`${changed.length} files have changed since ${since.slice(0, 8)}: ${of}.\n`)
  // The black-box suite contains the smoke tests of its folder.
  const isContained = (file: string) => file.startsWith('test/api/') && reached.includes('test/api/all.test.ts')
  return [...new Set([...reached, ...findFiles(smoke).filter((file) => !isContained(file))])]
}
