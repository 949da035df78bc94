/** The output of a test run: each failure in full, then a summary that fits into the last lines of a log. */
import type { Counts, Result } from './events.ts'
import type { Job } from './jobs.ts'
import { type Done, isFailed } from './run.ts'

const slowestShown = 10
const failuresNamed = 25
const outputCharactersMax = 20_000

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** One line for a job that passed; everything there is to know about one that failed. */
export function printDone(done: Done): void {
  const { job, seconds, cpuSeconds, problems, output } = done
  print(`${isFailed(done) ? '✖' : '✔'} ${job.name} (${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s)`)
  if (!isFailed(done)) return
  for (const failure of failuresOf(done)) print(`\n✖ ${titleOf(failure, job)}\n${indented(failure.text)}`)
  for (const problem of problems) print(`\n✖ ${job.name}\n${indented(problem)}`)
  const printed = output.trim().slice(-outputCharactersMax)
  if (printed) print(`\n  Printed by ${job.name}:\n${indented(printed)}`)
  print('')
}

/** Skipped tests and slow files first, then the names of all failures, then the totals. */
export function printSummary(all: Done[], milliseconds: number, hints: string[]): void {
  printSkipped(all)
  printSlowest(all)
  for (const hint of hints) print(`\n${hint}`)
  const failed = all.flatMap((done) => [
    ...failuresOf(done).map((failure) => titleOf(failure, done.job)),
    ...done.problems.map((problem) => `${done.job.name}: ${problem}`),
  ])
  if (failed.length > 0) print(`\nFailed:`)
  for (const title of failed.slice(0, failuresNamed)) print(`  ✖ ${title}`)
  if (failed.length > failuresNamed) print(`  ... and ${failed.length - failuresNamed} more, see above`)
  print('')
  const total = (name: keyof Counts) => all.reduce((sum, { counts }) => sum + counts[name], 0)
  // The lines of Node's own summary, which tools know.
  print(`ℹ tests ${total('tests')}`)
  print(`ℹ suites ${total('suites')}`)
  print(`ℹ pass ${total('passed')}`)
  print(`ℹ fail ${total('failed') + all.reduce((sum, { problems }) => sum + problems.length, 0)}`)
  print(`ℹ cancelled ${total('cancelled')}`)
  print(`ℹ skipped ${total('skipped')}`)
  print(`ℹ todo ${total('todo')}`)
  print(`ℹ duration_ms ${Math.round(milliseconds)}`)
}

function printSkipped(all: Done[]): void {
  const reasons = Map.groupBy(
    all.flatMap(({ results, job }) => results.map((result) => ({ result, job }))).filter(isSkipped),
    ({ result }) => result.text || 'no reason given',
  )
  if (reasons.size > 0) print('\nSkipped:')
  for (const [reason, skipped] of reasons) {
    const files = [...new Set(skipped.map(({ result, job }) => fileOf(result, job.files)))]
    const more = files.length > 4 ? ` and ${files.length - 4} more files` : ''
    print(`  ${skipped.length} in ${files.slice(0, 4).join(', ')}${more}\n    because ${reason}`)
  }
}

const isSkipped = ({ result }: { result: Result }): boolean => result.outcome === 'skip'

function printSlowest(all: Done[]): void {
  const seconds = all.flatMap(secondsByFile).sort((a, b) => b.seconds - a.seconds)
  print('\nSlowest files:')
  for (const each of seconds.slice(0, slowestShown)) print(`  ${each.seconds.toFixed(1).padStart(6)} s  ${each.file}`)
}

/** Seconds by file; for files that share a process, the time of their tests. */
function secondsByFile({ job, seconds, results }: Done): { file: string; seconds: number }[] {
  if (job.files.length === 1) return [{ file: job.name, seconds }]
  const outermost = results.filter(({ path }) => path.length === 1)
  const byFile = Map.groupBy(outermost, ({ file }) => file)
  return [...byFile].map(([file, tests]) => ({
    file,
    seconds: tests.reduce((sum, { milliseconds }) => sum + milliseconds / 1000, 0),
  }))
}

const failuresOf = ({ results }: Done): Result[] =>
  results.filter(({ outcome, isConsequence }) => outcome === 'fail' && !isConsequence)

/** Names the job as well if the same file runs in several environments. */
const titleOf = ({ path, file, line }: Result, { name, environment }: Job): string =>
  `${path.join(' › ')} (${file}:${line}${environment ? `, ${name}` : ''})`

const fileOf = ({ file }: Result, files: string[]): string => (files.length === 1 ? `${files[0]}` : file)

const indented = (text: string): string => text.replaceAll(/^/gm, '    ')
