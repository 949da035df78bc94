/**
 * Usage: npm run test:flaky [-- files or globs...] [--times 5] [--rates 1,4] [--busy 2] [--name-pattern <pattern>] [--minutes 30]
 *
 * Runs tests again and again under load, to find those that depend on timing: each file `--times` times at each rate, next to
 * `--busy` processes that use a core each. A rate slows down the pages of browser tests by this factor. Default: all browser
 * suites. Not a part of CI, because it takes hours.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { findFiles, type Job } from './test-runner/jobs.ts'
import { printDone, printSummary } from './test-runner/report.ts'
import { type Done, isFailed, runJobs } from './test-runner/run.ts'

const { values, positionals } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    rates: { type: 'string', default: '1,4' },
    busy: { type: 'string', default: '2' },
    'name-pattern': { type: 'string' },
    minutes: { type: 'string', default: '30' },
  },
  allowPositionals: true,
})
const files = findFiles(positionals.length > 0 ? positionals : ['test/browser/*.ts']).filter(
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
    rates.flatMap((rate) =>
      Array.from({ length: times }, (_, index) => ({
        name: `${file}, rate ${rate}, ${index + 1} of ${times}`,
        files: [file],
        environment: { TEST_CPU_THROTTLING_RATE: String(rate) },
      })),
    ),
  )
}

/** One line for each rate. */
function passedOf(file: string): string[] {
  return rates.map((rate) => {
    const runs = all.filter(({ job }) => job.name.startsWith(`${file}, rate ${rate},`))
    const passed = runs.filter((done) => !isFailed(done)).length
    return `${file}, rate ${rate}: ${passed} of ${runs.length} runs passed, next to ${busy} busy processes.`
  })
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
