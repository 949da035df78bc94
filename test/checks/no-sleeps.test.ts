/** No test sleeps for a fixed time: it polls for a condition with `harness/wait.ts`, or moves a clock. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repository } from '../harness/process.ts'

const files = globSync(
  ['src/**/*.test.ts', 'shared/**/*.test.ts', 'src/**/test-*.ts', 'console/src/**/*.test.ts', 'test/**/*.ts'],
  {
    cwd: repository,
    exclude: ['**/node_modules/**'],
  },
)
/** The only one that waits, between two polls. */
const polling = 'test/harness/wait.ts'

/** The arguments of each call of these functions. */
function callsOf(names: string[], code: string): string[] {
  const calls: string[] = []
  for (const { index, 0: start } of code.matchAll(new RegExp(`(?<![\\w$])(?:${names.join('|')})\\(`, 'g'))) {
    let depth = 1
    let end = index + start.length
    for (; depth > 0 && end < code.length; end++) depth += code[end] === '(' ? 1 : code[end] === ')' ? -1 : 0
    calls.push(code.slice(index + start.length, end - 1).trim())
  }
  return calls
}

/** `setTimeout`, and the name under which a file imports the one that returns a promise. */
function timersOf(code: string): { direct: string[]; promised: string[] } {
  const imported = /import \{([^}]*)\} from 'node:timers\/promises'/.exec(code)?.[1] ?? ''
  const promised = /\bsetTimeout\b(?: as (\w+))?/.exec(imported)
  return promised
    ? { direct: promised[1] ? ['setTimeout'] : [], promised: [promised[1] ?? 'setTimeout'] }
    : { direct: ['setTimeout'], promised: [] }
}

function literalSleepsOf(code: string): string[] {
  const { direct, promised } = timersOf(code)
  return [
    ...(direct.length > 0 ? callsOf(direct, code).filter((args) => /,\s*[\d_.]+,?$/.test(args)) : []),
    ...(promised.length > 0 ? callsOf(promised, code).filter((args) => /^[\d_.]+\s*(,|$)/.test(args)) : []),
  ]
}

// Prevents: a test that passes on a fast machine only, or that waits on every machine for the slowest one.
test('no test sleeps for a number of milliseconds that is written in it', () => {
  assert.ok(files.length > 400, `found ${files.length}`)
  assert.ok(files.includes(polling))
  const wrong = files
    .filter((file) => file !== polling && !file.endsWith('no-sleeps.test.ts'))
    .flatMap((file) => literalSleepsOf(readFileSync(join(repository, file), 'utf8')).map((args) => `${file}: ${args}`))
  assert.deepEqual(wrong, [])
})

test('the rule sees sleeps in every form', () => {
  for (const code of [
    'await new Promise((resolve) => setTimeout(resolve, 50))',
    'setTimeout(() => {\n  release(1)\n}, 2_000)',
    "import { setTimeout } from 'node:timers/promises'\nawait setTimeout(5)",
    "import { setTimeout as pause } from 'node:timers/promises'\nawait pause(1_100, undefined, {})",
    "import { setTimeout as pause } from 'node:timers/promises'\nsetTimeout(done, 20)",
  ])
    assert.equal(literalSleepsOf(code).length, 1, code)
  for (const code of [
    'setTimeout(stop, secondsMax * 1000)',
    "import { setTimeout as pause } from 'node:timers/promises'\nawait pause(latencyMs)",
    "t.mock.timers.enable({ apis: ['setTimeout'] })",
  ])
    assert.deepEqual(literalSleepsOf(code), [], code)
})
