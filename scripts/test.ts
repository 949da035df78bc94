/**
 * Usage: npm test [-- files or globs...] [--full] [--concurrency 3] [--name-pattern <pattern>] [--minutes 60]
 *
 * Runs the `*.test.ts` of src, console and test, or only the named files. `--full` adds the slow suites (`fullOnly` in
 * test-runner/jobs.ts) and repeats property tests and fault loops many times, which `TEST_FULL=1` does as well.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { isFull } from '../test/harness/repetitions.ts'
import { findFiles, fullOnly, jobsOf } from './test-runner/jobs.ts'
import { printDone, printSummary } from './test-runner/report.ts'
import { isFailed, runJobs } from './test-runner/run.ts'

const { values, positionals } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    // One more than cores: suites that start services and browsers often wait for them.
    concurrency: { type: 'string', default: String(availableParallelism() + 1) },
    minutes: { type: 'string', default: '60' },
    'name-pattern': { type: 'string' },
  },
  allowPositionals: true,
})
const found = findFiles(positionals.length > 0 ? positionals : undefined)
const slow = positionals.length > 0 || values.full || isFull ? [] : found.filter((file) => fullOnly.includes(file))
const files = found.filter((file) => !slow.includes(file))
if (files.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}.\n`)
  process.exit(1)
}
const startMs = performance.now()
const { all } = await runJobs(jobsOf(files), {
  concurrency: Number(values.concurrency),
  minutesMax: Number(values.minutes),
  environment: values.full && !isFull ? { TEST_FULL: '1' } : {},
  namePattern: values['name-pattern'],
  onDone: printDone,
})
printSummary(all, performance.now() - startMs, [
  ...(slow.length > 0 ? [`Not run here: ${slow.length} slow files. "npm run test:full" runs them as well.`] : []),
  ...(positionals.length === 0
    ? [
        `Not run here: ${findFiles(['test/**/*.matrix.ts']).length} files that need PostgreSQL or an S3 server. "npm run test:matrix" runs them.`,
      ]
    : []),
])
process.exitCode = all.some(isFailed) || all.every(({ results }) => results.length === 0) ? 1 : 0
