import assert from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
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
