/** The runner of `npm test`: no test gets lost, and every failure is reported with its name. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { backings, defaultBacking, otherBackings } from '../scripts/test-runner/backings.ts'
import { readDurations, saveDurations, slowestFirst } from '../scripts/test-runner/durations.ts'
import { findFiles, type Job, jobsOf, slowSuites } from '../scripts/test-runner/jobs.ts'
import type { Done } from '../scripts/test-runner/run.ts'
import { repository } from './harness/process.ts'

const imports = "import assert from 'node:assert/strict'\nimport { beforeEach, describe, test } from 'node:test'\n"
const passing = "test('passes', () => {})"

/** Runs the runner in a folder with these files. */
async function run(t: TestContext, files: Record<string, string>, ...args: string[]) {
  const folder = folderOf(t, files)
  const script = join(repository, 'scripts/test.ts')
  return new Promise<{ code: unknown; lines: string[]; printed: string }>((resolve) => {
    execFile(process.execPath, [script, '*.test.ts', ...args], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, lines: stdout.trim().split('\n'), printed: stdout + stderr })
    })
  })
}

function folderOf(t: TestContext, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-runner-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), imports + text)
  }
  return folder
}

const last = (lines: string[]) => lines.slice(-50).join('\n')

test('passing tests end with the totals and exit code 0', async (t) => {
  const { code, lines } = await run(t, {
    'a.test.ts': `describe('a suite', () => { ${passing} })`,
    'b.test.ts': `${passing}\ntest('needs a server', { skip: 'no server: "apt install server" installs it' }, () => {})`,
  })
  assert.equal(code, 0, lines.join('\n'))
  assert.match(last(lines), /Skipped:\n {2}1 in b\.test\.ts\n {4}because no server: "apt install server" installs it\n/)
  assert.match(last(lines), /Slowest files:\n {5}\d+\.\d s {2}[ab]\.test\.ts\n/)
  assert.deepEqual(lines.slice(-8, -1), [
    'ℹ tests 3',
    'ℹ suites 1',
    'ℹ pass 2',
    'ℹ fail 0',
    'ℹ cancelled 0',
    'ℹ skipped 1',
    'ℹ todo 0',
  ])
})

test('a failure is named in the last lines, with the expected and the received value above', async (t) => {
  const { code, lines, printed } = await run(t, {
    'a.test.ts': `describe('adding', () => {\n  test('is exact', () => assert.equal(1 + 1, 3, 'not exact'))\n})`,
    'b.test.ts': passing,
  })
  assert.equal(code, 1)
  assert.match(
    printed,
    /✖ adding › is exact \(a\.test\.ts:4\)\n {4}not exact\n(.*\n)*? {4}expected: 3\n {4}received: 2\n/,
  )
  assert.match(last(lines), /Failed:\n {2}✖ adding › is exact \(a\.test\.ts:4\)\n/)
  assert.match(last(lines), /ℹ pass 1\nℹ fail 1\n/)
})

test('a file that throws during its import fails, and the others of its process run', async (t) => {
  const { code, lines } = await run(t, { 'a.test.ts': "throw new Error('broken')", 'b.test.ts': passing })
  assert.equal(code, 1)
  assert.match(last(lines), /✖ a\.test\.ts/)
  assert.match(last(lines), /ℹ pass 1\n/)
})

test('a process that exits early, and a file without a test, are failures', async (t) => {
  const early = await run(t, { 'a.test.ts': "test('exits', () => process.exit(0))", 'b.test.ts': passing })
  assert.equal(early.code, 1)
  assert.match(last(early.lines), /The process exited before its tests had finished/)
  const empty = await run(t, { 'a.test.ts': '', 'b.test.ts': passing })
  assert.equal(empty.code, 1)
  assert.match(last(empty.lines), /a\.test\.ts contains no test that ran/)
})

test('a file that hangs is stopped and named with its test', async (t) => {
  const { code, lines } = await run(
    t,
    { 'a.test.ts': "test('waits forever', () => new Promise(() => setInterval(() => {}, 1000)))" },
    '--minutes',
    '0.05',
  )
  assert.equal(code, 1)
  // On a slow machine the process is stopped before the test starts.
  assert.match(
    last(lines),
    /✖ a\.test\.ts: It was stopped after 0\.05 minutes\. (No test was running|These were running: waits forever)/,
  )
})

test('no matching file is a failure', async (t) => {
  const { code, printed } = await run(t, {})
  assert.equal(code, 1)
  assert.match(printed, /No test file matches \*\.test\.ts/)
})

test('tests of installed packages are not tests of the project', (t) => {
  const folder = folderOf(t, { 'test/a.test.ts': '', 'test/tools/node_modules/b/b.test.ts': '' })
  assert.deepEqual(findFiles(undefined, folder), ['test/a.test.ts'])
})

test('each slow suite exists, and names a test that npm test runs', () => {
  const files = findFiles(undefined, repository)
  const fast = files.filter((file) => !Object.hasOwn(slowSuites, file))
  for (const [slow, mainPath] of Object.entries(slowSuites)) {
    assert.ok(files.includes(slow), slow)
    assert.ok(fast.includes(mainPath), `${slow}: ${mainPath} is not in npm test`)
  }
})

test('every file runs once, and a file with a hook outside of its suites has its own process', (t) => {
  const files = findFiles(undefined, repository)
  const jobs = jobsOf(files, repository)
  assert.ok(files.length > 200, `found ${files.length}`)
  assert.deepEqual(jobs.flatMap((job) => job.files).sort(), files)
  assert.ok(jobs.length < files.length / 2, `${jobs.length} processes`)
  const folder = folderOf(t, { 'a.test.ts': 'beforeEach(() => {})', 'b.test.ts': passing, 'c.test.ts': passing })
  assert.deepEqual(
    jobsOf(findFiles(['*'], folder), folder).map((job) => job.files),
    [['a.test.ts'], ['b.test.ts', 'c.test.ts']],
  )
})

test('the longest job of the previous run starts first, after those without a duration', (t) => {
  const folder = folderOf(t, {})
  const jobs = ['short', 'long', 'new'].map((name): Job => ({ name, files: [name] }))
  assert.deepEqual(slowestFirst(jobs, readDurations(folder)), jobs)
  const of = (name: string, seconds: number) => ({ job: { name, files: [name] }, seconds }) as Done
  saveDurations([of('short', 9), of('long', 60)], folder)
  saveDurations([of('short', 1)], folder)
  const order = slowestFirst(jobs, readDurations(folder)).map(({ name }) => name)
  assert.deepEqual(order, ['new', 'long', 'short'])
})

test('each pair of engine, store and number of services occurs in the matrix or in npm test', () => {
  const choicesOf = (backing: string) => {
    const words = backing.split('+')
    return ['postgres', 's3', 'many'].map((word) => `${words.includes(word) ? '' : 'not '}${word}`)
  }
  const pairsOf = (backing: string) => {
    const choices = choicesOf(backing)
    return choices.flatMap((one, i) => choices.slice(i + 1).map((other) => `${one}, ${other}`))
  }
  const tested = [defaultBacking, ...backings]
  const all = [...tested, ...otherBackings]
  assert.equal(new Set(all.map((backing) => choicesOf(backing).join())).size, 6, 'all combinations, each once')
  assert.deepEqual(new Set(tested.flatMap(pairsOf)), new Set(all.flatMap(pairsOf)))
})
