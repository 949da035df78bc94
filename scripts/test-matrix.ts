/**
 * Usage: npm run test:matrix [-- --only contract,sqlite+s3,postgres+files,postgres+s3,postgres+files+many,postgres+s3+many]
 *
 * Starts PostgreSQL and an S3 server (Debian's postgresql and radosgw), then runs what needs them: the suites named
 * `*.matrix.ts`, and the black-box suite once on each combination of engine, store and number of processes.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/harness/postgres.ts'
import { startS3 } from '../test/harness/s3.ts'

const backings = ['sqlite+s3', 'postgres+files', 'postgres+s3', 'postgres+files+many', 'postgres+s3+many']
const parts = ['contract', ...backings]

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const wanted = only?.split(',') ?? parts
const unknown = wanted.filter((part) => !parts.includes(part))
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${parts.join(', ')}.`)

const [postgres, s3] = await Promise.all([startPostgres({ durable: false }), startS3()])
const results: { part: string; code: number; seconds: number }[] = []
try {
  const servers = { TINTYPE_TEST_POSTGRES: postgres.url, TINTYPE_TEST_S3: s3.url, ...s3.environment }
  for (const part of wanted) {
    process.stdout.write(`\n== ${part}\n\n`)
    const startMs = performance.now()
    const files = part === 'contract' ? ['test/**/*.matrix.ts'] : ['test/api/all.test.ts']
    const code = await test(files, { ...servers, ...(part === 'contract' ? {} : { TINTYPE_TEST_BACKING: part }) })
    results.push({ part, code, seconds: Math.round((performance.now() - startMs) / 1000) })
  }
} finally {
  await Promise.all([postgres.remove(), s3.stop()])
}
process.stdout.write('\n')
for (const { part, code, seconds } of results)
  process.stdout.write(`${code === 0 ? '✔' : '✖'} ${part} (${seconds} s)\n`)
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0

function test(files: string[], environment: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, ['--test', '--test-concurrency=2', ...files], {
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  })
  return new Promise((settle) => child.once('exit', (code) => settle(code ?? 1)))
}
