/**
 * Usage: npm test [-- files or globs...] [--full] [--concurrency 3] [--name-pattern <pattern>] [--minutes 30]
 *
 * Runs every `*.test.ts` of src, console and test, or only the named files. `--full` repeats property tests and fault
 * loops many times, which `TEST_FULL=1` does as well.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { findFiles, jobsOf } from './test-runner/jobs.ts'
import { printDone, printSummary } from './test-runner/report.ts'
import { isFailed, runJobs } from './test-runner/run.ts'

const { values, positionals } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    // One more than cores: suites that start services and browsers often wait for them.
    concurrency: { type: 'string', default: String(availableParallelism() + 1) },
    minutes: { type: 'string', default: '30' },
    'name-pattern': { type: 'string' },
  },
  allowPositionals: true,
})
const files = findFiles(positionals.length > 0 ? positionals : undefined)
if (files.length === 0) {
  process.stderr.write(`No test file matches ${positionals.join(' ')}.\n`)
  process.exit(1)
}
const startMs = performance.now()
const all = await runJobs(jobsOf(files), {
  concurrency: Number(values.concurrency),
  minutesMax: Number(values.minutes),
  environment: values.full ? { TEST_FULL: '1' } : {},
  namePattern: values['name-pattern'],
  onDone: printDone,
})
const servers = findFiles(['test/**/*.matrix.ts']).length
printSummary(all, performance.now() - startMs, [
  `Not run here: ${servers} files that need PostgreSQL or an S3 server. "npm run test:matrix" runs them.`,
])
process.exitCode = all.some(isFailed) || all.every(({ results }) => results.length === 0) ? 1 : 0
