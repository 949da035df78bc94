/**
 * Usage: npm run test:flaky [-- files or globs...] [--times 5] [--rates 1,4] [--busy 2] [--name-pattern <pattern>] [--minutes 60]
 *
 * Runs tests again and again under load, to find those that depend on timing: each file `--times` times at each rate, next to
 * `--busy` processes that use a core each. A rate slows down the pages of browser tests by this factor. A browser suite runs
 * its rounds in one process, so that they share the service and the Chromium; other files get a process each time. A process
 * that takes longer than `--minutes` fails. Default: all browser suites. A part of `npm run test:nightly`, not of CI.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { posix } from 'node:path'
import { parseArgs } from 'node:util'
import type { Result } from './test-runner/events.ts'
import { findFiles, type Job } from './test-runner/jobs.ts'
import { printDone, printSummary } from './test-runner/report.ts'
import { type Done, isFailed, runJobs } from './test-runner/run.ts'

const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    rates: { type: 'string', default: '1,4' },
    busy: { type: 'string', default: '2' },
    'name-pattern': { type: 'string' },
    minutes: { type: 'string', default: '60' },
  },
  allowPositionals: true,
})
const browserSuites = 'test/browser/*.ts'
const files = findFiles(positionals.length > 0 ? positionals : [browserSuites]).filter(
  (file) => positionals.includes(file) || !file.endsWith('.test.ts'),
)
const [times, busy, minutesMax] = [values.times, values.busy, values.minutes].map(wholeNumber) as [
  number,
  number,
  number,
]
const rates = values.rates.split(',').map(wholeNumber)
if (files.length === 0) throw new Error(`No test file matches ${positionals.join(' ')}.`)

const startMs = performance.now()
const busyProcesses = Array.from({ length: busy }, startBusyProcess)
let all: Done[]
try {
  all = await runJobs(jobs(), {
    // The load comes from the busy processes, so that it is the same for every test.
    concurrency: 1,
    minutesMax,
    environment: {},
    namePattern: values['name-pattern'],
    onDone: printDone,
  })
} finally {
  for (const child of busyProcesses) child.kill('SIGKILL')
}
printSummary(all, performance.now() - startMs, files.flatMap(passedOf))
process.exitCode = all.some(isFailed) || all.every(({ counts }) => counts.passed === 0) ? 1 : 0

function jobs(): Job[] {
  return files.flatMap((file) =>
    rates.flatMap((rate): Job[] => {
      const TEST_CPU_THROTTLING_RATE = String(rate)
      const name = `${file}, rate ${rate}`
      if (isBrowserSuite(file))
        return [{ name, files: [file], environment: { TEST_CPU_THROTTLING_RATE, TEST_ROUNDS: String(times) } }]
      return Array.from({ length: times }, (_, index) => ({
        name: `${name}, ${index + 1} of ${times}`,
        files: [file],
        environment: { TEST_CPU_THROTTLING_RATE },
      }))
    }),
  )
}

/** `consoleTests` of `test/browser/harness/console.ts` repeats these by itself. */
function isBrowserSuite(file: string): boolean {
  return posix.matchesGlob(file, browserSuites) && !file.endsWith('.test.ts')
}

/** One line for each rate. */
function passedOf(file: string): string[] {
  return rates.map((rate) => {
    const name = `${file}, rate ${rate}`
    const done = all.filter(({ job }) => job.name === name || job.name.startsWith(`${name}, `))
    const passed = isBrowserSuite(file) ? done.flatMap(passedRounds) : done.filter((each) => !isFailed(each))
    return `${name}: ${passed.length} of ${times} runs passed, next to ${busy} busy processes.`
  })
}

/** Each round is a suite. */
function passedRounds({ results }: Done): Result[] {
  return results.filter(({ path, isSuite, outcome }) => path.length === 1 && isSuite && outcome === 'pass')
}

/** Uses a core until it is killed, or until this process is gone, however it ended. */
function startBusyProcess(): ChildProcess {
  const code = `const { ppid } = process
    while (process.ppid === ppid) for (let i = 0; i < 1e8; i++);`
  return spawn(process.execPath, ['--eval', code], { stdio: 'ignore' })
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is not a whole number.`)
  return Number(text)
}
