/** Runs jobs, a few at a time, and collects their results. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killTree } from '../../test/harness/process.ts'
import type { Counts, Line, Result } from './events.ts'
import type { Job } from './jobs.ts'

export interface Options {
  concurrency: number
  /** Limit: after this a job is stopped and fails. It only ends a test that hangs: no test may be slow by itself. */
  minutesMax: number
  environment: Record<string, string>
  /** Runs only the tests whose names match. */
  namePattern?: string | undefined
  onDone(done: Done): void
}

export interface Done {
  job: Job
  seconds: number
  /** CPU time of the process and its children; 0 if it was killed. It depends less on other jobs than `seconds`. */
  cpuSeconds: number
  results: Result[]
  counts: Counts
  /** Failures of the process itself: it crashed, hung, or ran no test. */
  problems: string[]
  /** Everything the job printed. */
  output: string
}

export const isFailed = ({ problems, results }: Done): boolean =>
  problems.length > 0 || results.some(({ outcome }) => outcome === 'fail')

const program = fileURLToPath(new URL('process.ts', import.meta.url))
const running = new Set<ChildProcess>()

export async function runJobs(jobs: Job[], options: Options): Promise<Done[]> {
  const waiting = [...jobs]
  const all: Done[] = []
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      const done = await runJob(job, options)
      all.push(done)
      options.onDone(done)
    }
  }
  const stop = (signal: NodeJS.Signals): void => {
    for (const child of running) killTree(child)
    process.kill(process.pid, signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  await Promise.all(Array.from({ length: options.concurrency }, work))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  return all
}

async function runJob(job: Job, options: Options): Promise<Done> {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-test-run-'))
  try {
    return await runIn(folder, job, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runIn(folder: string, job: Job, options: Options): Promise<Done> {
  const destination = join(folder, 'events')
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const child = spawn(process.execPath, [program, destination, options.namePattern ?? '', ...job.files], {
    env: {
      // Types are stripped once for all processes and runs.
      NODE_COMPILE_CACHE: join(process.cwd(), 'node_modules', '.cache', 'tintype-tests'),
      ...inherited,
      ...options.environment,
      ...job.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const startMs = performance.now()
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk))
  let isTooLate = false
  const timer = setTimeout(() => {
    isTooLate = true
    killTree(child)
  }, options.minutesMax * 60_000)
  const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  clearTimeout(timer)
  running.delete(child)
  const seconds = (performance.now() - startMs) / 1000
  const lines = readLines(destination)
  const results = lines.filter((line) => line.type === 'result')
  const problems: string[] = []
  if (isTooLate) problems.push(`It was stopped after ${options.minutesMax} minutes. ${stillRunning(lines)}`)
  else if (signal) problems.push(`The process was ended by ${signal}. ${stillRunning(lines)}`)
  else if (code !== 0 && results.every(({ outcome }) => outcome !== 'fail'))
    problems.push(`The process exited with ${code}. ${stillRunning(lines)}`)
  else if (!lines.some(({ type }) => type === 'counts'))
    problems.push(`The process exited before its tests had finished. ${stillRunning(lines)}`)
  const counts = countsOf(lines, results)
  const cpuSeconds = lines.find((line) => line.type === 'cpu')?.seconds ?? 0
  if (problems.length === 0 && options.namePattern === undefined && results.every(({ outcome }) => outcome !== 'fail'))
    for (const file of withoutTests(job, results)) problems.push(`${file} contains no test that ran.`)
  return { job, seconds, cpuSeconds, results, counts, problems, output: Buffer.concat(chunks).toString() }
}

function readLines(file: string): Line[] {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    // The process ended before it reported anything.
  }
  // The last line of a process that was killed may be incomplete.
  const complete = text.slice(0, text.lastIndexOf('\n') + 1)
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

function stillRunning(lines: Line[]): string {
  const open = new Map<string, string>()
  for (const line of lines) {
    if (line.type === 'started') open.set(line.id, line.name)
    if (line.type === 'completed') open.delete(line.id)
  }
  const names = [...open.values()]
  return names.length === 0 ? 'No test was running.' : `These were running: ${names.slice(-8).join(' › ')}`
}

/** Files whose tests got lost. The tests of a file with its own process may be declared by a helper. */
function withoutTests({ files }: Job, results: Result[]): string[] {
  // Node reports a file without tests as one test with the name of the file.
  const tests = results.filter(({ path }) => !files.some((file) => resolve(file) === resolve(path[0] ?? '')))
  if (files.length === 1) return tests.length === 0 ? files : []
  return files.filter((file) => !tests.some((result) => result.file === file))
}

/** Counts of the process, or of its results if it didn't live long enough to count them. */
function countsOf(lines: Line[], results: Result[]): Counts {
  const counted = lines.findLast((line) => line.type === 'counts')
  if (counted) return counted.counts
  const tests = results.filter(({ isSuite }) => !isSuite)
  const count = (outcome: Result['outcome']) => tests.filter((each) => each.outcome === outcome).length
  return {
    tests: tests.length,
    suites: results.length - tests.length,
    passed: count('pass'),
    failed: count('fail'),
    cancelled: 0,
    skipped: count('skip'),
    todo: count('todo'),
  }
}
