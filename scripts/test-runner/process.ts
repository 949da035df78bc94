/**
 * Usage: node process.ts <file for events> <name pattern or nothing> <test file>...
 *
 * Runs test files one after another in this process. Not `node --test`: child processes that a test forks would inherit it.
 */
import { appendFileSync, createWriteStream, readFileSync } from 'node:fs'
import { run } from 'node:test'
import { events, type Line } from './events.ts'

const [destination = '', pattern = '', ...files] = process.argv.slice(2)
run({ files, isolation: 'none', ...(pattern ? { testNamePatterns: [pattern] } : {}) })
  .on('test:fail', ({ todo }) => {
    if (todo === undefined || todo === false) process.exitCode = 1
  })
  .compose<NodeJS.ReadableStream>(events)
  .pipe(createWriteStream(destination))
  .on('finish', () => setTimeout(endAnyway, leftOpenMs).unref())

/** Limit: after this time without an end, a test has left something open. */
const leftOpenMs = 20_000

function endAnyway(): void {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout')
  process.stderr.write(`A test left open: ${[...new Set(open)].join(', ')}. The process ends anyway.\n`)
  process.exit()
}

process.once('exit', () => {
  const line: Line = { type: 'cpu', seconds: cpuSeconds() }
  appendFileSync(destination, `\n${JSON.stringify(line)}\n`)
})

/**
 * CPU time of this process and of its child processes that have ended. Linux counts them in the fields utime, stime,
 * cutime and cstime of proc_pid_stat(5), in hundredths of a second; the name of the program, which can contain spaces,
 * comes before.
 */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  if (process.platform !== 'linux') return (user + system) / 1e6
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
}
