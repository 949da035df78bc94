/**
 * Usage: npm run test:matrix [-- --only contract,faults,image,postgres+files,sqlite+s3] [-- --all] [-- --concurrency 3]
 *
 * Starts PostgreSQL and an S3 server (Debian's postgresql and radosgw), then runs what needs them: the suites named `*.matrix.ts` of
 * test/contract (`contract`, with the contract suites that `npm test` leaves out) and test/faults (`faults`), or one of them by its path, and the
 * black-box suite on combinations of engine, store and processes (test-runner/backings.ts). `--all` runs it on every combination, and on SQLite
 * and files in the container image (`image`, test/harness/image.ts). The suites that start many processes run on two of them, and the suites of neighbours on PostgreSQL with files and several processes.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { buildImage } from '../test/harness/image.ts'
import { startPostgres } from '../test/harness/postgres.ts'
import { startS3 } from '../test/harness/s3.ts'
import { backings, otherBackings, startingProcesses } from './test-runner/backings.ts'
import { findFiles, type Job, longestFirst, slowSuites } from './test-runner/jobs.ts'
import { printDone, printSummary } from './test-runner/report.ts'
import { type Done, isFailed, runJobs } from './test-runner/run.ts'

const {
  only,
  all: isAll,
  concurrency,
} = parseArgs({
  options: {
    only: { type: 'string' },
    all: { type: 'boolean', default: false },
    // One more than cores, because suites wait for processes to start. All use one PostgreSQL server, whose connections are limited.
    concurrency: { type: 'string', default: String(Math.min(availableParallelism() + 1, 4)) },
  },
}).values
const folders = ['contract', 'faults']
const parts = [...backings, ...otherBackings, ...folders, 'image']
const selected = only?.split(',') ?? (isAll ? parts : [...backings, ...folders])
const files = findFiles(['test/**/*.matrix.ts'])
const unknown = selected.filter((part) => !parts.includes(part) && !files.includes(part))
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}. Choose ${parts.join(', ')} or a file test/**/*.matrix.ts.`)

const startMs = performance.now()
const image = selected.includes('image') ? await buildImage() : undefined
const needsServers = selected.some((part) => part !== 'image')
const [postgres, s3] = needsServers ? await Promise.all([startPostgres({ durable: false }), startS3()]) : []
let all: Done[]
try {
  all = await runJobs(longestFirst(selected.flatMap(jobsOf)), {
    concurrency: Number(concurrency),
    minutesMax: 40,
    environment: {
      ...(postgres && { TINTYPE_TEST_POSTGRES: postgres.url }),
      ...(s3 && { TINTYPE_TEST_S3: s3.url, ...s3.environment }),
    },
    onDone: printDone,
  })
} finally {
  await Promise.all([postgres?.remove(), s3?.stop()])
  image?.remove()
}
printSummary(all, performance.now() - startMs, [])
process.exitCode = all.some(isFailed) ? 1 : 0

function jobsOf(part: string): Job[] {
  if (folders.includes(part)) {
    const slow = Object.keys(slowSuites).filter((file) => part === 'contract' && file.startsWith('test/contract/'))
    return [...files.filter((file) => file.startsWith(`test/${part}/`)), ...slow].map((file) => ({
      name: file,
      files: [file],
    }))
  }
  if (files.includes(part)) return [{ name: part, files: [part] }]
  if (image !== undefined && part === 'image') {
    const environment = { TEST_PROGRAM: image.program, TEST_FULL: '0' }
    return [{ name: 'test/api/all.test.ts in the image', files: ['test/api/all.test.ts'], environment }]
  }
  const suites = [
    'test/api/all.test.ts',
    ...(isAll || startingProcesses.includes(part) ? ['test/api/processes.test.ts'] : []),
    ...(part.startsWith('postgres+files+many') ? findFiles(['test/neighbours/*.test.ts']) : []),
  ]
  // Random cases don't depend on the database: `npm test` repeats them in full.
  const environment = { TINTYPE_TEST_BACKING: part, TEST_FULL: '0' }
  return suites.map((file) => ({ name: `${file} on ${part}`, files: [file], environment }))
}
