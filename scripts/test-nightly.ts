/**
 * Usage: npm run test:nightly [-- --only full,matrix]
 *
 * Everything, one part after another, in hours: the installation of what tests need (`scripts/install-test-*.sh`), and then the parts
 * below. A part that fails doesn't end the others. The last lines have the result of each.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { findFiles } from './test-runner/jobs.ts'

/** Their commands, the shortest first. */
const parts: Record<string, string[]> = {
  check: ['npm', 'run', 'check'],
  // The slow suites, and all repetitions of property tests and fault loops.
  full: ['npm', 'run', 'test:full'],
  // The fault loops on servers, and the black-box suite on each backing.
  matrix: ['npm', 'run', 'test:matrix', '--', '--all'],
  flaky: ['npm', 'run', 'test:flaky', '--', '--times', '2', '--rates', '4'],
}

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const selected = only?.split(',') ?? Object.keys(parts)
for (const name of selected) {
  if (!Object.hasOwn(parts, name))
    throw new Error(`Part ${name} doesn't exist. Choose ${Object.keys(parts).join(', ')}.`)
}

for (const script of findFiles(['scripts/install-test-*.sh'])) {
  if ((await run([script])) !== 0) throw new Error(`${script} failed, so its tests would be skipped.`)
}
if ((await run(['npm', 'run', 'build'])) !== 0) throw new Error('npm run build failed.')

const summary: string[] = []
for (const name of selected) {
  const startMs = performance.now()
  const code = await run(parts[name] ?? [])
  const minutes = (performance.now() - startMs) / 60_000
  summary.push(`${code === 0 ? '✔' : '✖'} ${(parts[name] ?? []).join(' ')} (${minutes.toFixed(1)} minutes)`)
  if (code !== 0) process.exitCode = 1
}
process.stdout.write(`\n${summary.join('\n')}\n`)

function run([command = '', ...args]: string[]): Promise<number | null> {
  process.stdout.write(`\n> ${[command, ...args].join(' ')}\n`)
  return new Promise((resolve, reject) => {
    spawn(command, args, { stdio: 'inherit' }).once('error', reject).once('exit', resolve)
  })
}
