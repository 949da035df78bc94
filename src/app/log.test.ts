import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs, { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../test/harness/wait.ts'
import { createLog } from './log.ts'

test('no line of the log contains a secret, whatever logged it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-log-'))
  try {
    const file = join(folder, 'log')
    const secrets = ['sk-0123456789', 'pass"word\\9', 'short']
    const log = createLog({ level: 'info', dataDir: folder, secrets, fileDescriptor: openSync(file, 'w') })
    const cause = Object.assign(new Error(`401 for ${secrets[0]}`), { headers: { authorization: secrets[1] } })
    log.error({ err: new Error('no answer', { cause }), headers: { authorization: `Bearer ${secrets[0]}` } }, 'failed')
    log.info({ settings: { password: secrets[1], region: 'a short one' } }, `with ${secrets[0]}`)
    // Lines after the first are written when the file takes them.
    const text = await until('two lines', () => {
      const written = readFileSync(file, 'utf8')
      return written.split('\n').length > 2 ? written : undefined
    })
    const lines = text.trim().split('\n')
    assert.equal(lines.length, 2)
    assert.equal(JSON.parse(lines[0] ?? '').headers.authorization, 'Bearer [secret]')
    assert.equal(JSON.parse(lines[1] ?? '').settings.password, '[secret]')
    // Values as short as a word stay, so that lines remain readable.
    assert.equal(JSON.parse(lines[1] ?? '').settings.region, 'a short one')
    assert.doesNotMatch(text, /sk-0123456789|pass\\"word/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('lines are written together, and a warning immediately, after the lines before it', async (t) => {
  const { log, written } = openLog(t)
  const { mock: writes } = t.mock.method(fs, 'write')
  t.mock.timers.enable({ apis: ['setTimeout'] })
  log.info('one')
  log.info('two')
  assert.equal(writes.callCount(), 0)
  t.mock.timers.tick(10)
  assert.equal(writes.callCount(), 1)
  t.mock.timers.reset()
  await until('both lines', () => written().length === 2 || undefined)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  log.info('three')
  log.warn('four')
  t.mock.timers.reset()
  await until('four lines', () => written().length === 4 || undefined)
  assert.deepEqual(written(), ['one', 'two', 'three', 'four'])
})

const occupyThread = "pbkdf2('a', 'b', 300_000, 64, 'sha512', () => {})"
for (const [ending, code] of [
  ['exits right after it', `${occupyThread}; process.exit(0)`],
  // Node cancels writes that wait for a thread at its end.
  ['ends right after it', `process.prependListener('exit', () => ${occupyThread})`],
]) {
  test(`a line is not lost if the process ${ending}`, () => {
    const program = `
      import { pbkdf2 } from 'node:crypto'
      import { createLog } from ${JSON.stringify(import.meta.resolve('./log.ts'))}
      const log = createLog({ level: 'info', dataDir: '/none', secrets: [] })
      log.info('first')
      log.info('last')
      ${code}`
    const options = { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' } } as const
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], options)
    assert.deepEqual(messagesOf(printed), ['first', 'last'])
  })
}

function openLog(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-log-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  const log = createLog({ level: 'info', dataDir: folder, secrets: [], fileDescriptor: openSync(file, 'w') })
  return { log, written: () => messagesOf(readFileSync(file, 'utf8')) }
}

function messagesOf(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).msg)
}
