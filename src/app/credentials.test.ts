import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { ConfigError, readConfig } from '../config/config.ts'
import { systemClock } from '../domain/clock.ts'
import { limits } from '../limits.ts'
import { developmentFile, openCredentials, queuedByAccount } from './credentials.ts'

describe('the development chain', () => {
  it('is created once, readable by its owner alone, and is valid for ten years', async (t) => {
    const dataDir = emptyFolder(t)
    await Promise.all([open(dataDir), open(dataDir)])
    const file = join(dataDir, developmentFile)
    const pem = readFileSync(file, 'utf8')
    await open(dataDir)
    assert.equal(readFileSync(file, 'utf8'), pem)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(dirname(file)).mode & 0o777, 0o700)
    const leaf = new X509Certificate(pem.slice(pem.indexOf('-----BEGIN CERTIFICATE-----')))
    const years = leaf.validToDate.getUTCFullYear() - new Date(systemClock.now()).getUTCFullYear()
    assert.equal(years, 10)
  })

  it('that is damaged is refused with its file and a way out', async (t) => {
    const dataDir = emptyFolder(t)
    mkdirSync(dirname(join(dataDir, developmentFile)), { recursive: true })
    writeFileSync(join(dataDir, developmentFile), 'nothing')
    await assert.rejects(
      open(dataDir),
      (error: Error) => error instanceof ConfigError && /development\.pem must be .* Delete it/.test(error.message),
    )
  })
})

it('few files are read at the same time, also those of many accounts, and they keep no file from being signed', async () => {
  const signal = new AbortController().signal
  const end = Promise.withResolvers<undefined>()
  const signed = { bytes: Buffer.alloc(0), warnings: [] }
  let running = 0
  const read = () => {
    running += 1
    return end.promise
  }
  const credentials = queuedByAccount({ sign: async () => signed, read, close: async () => {} })
  const file = async () => ({ format: 'png' as const, bytes: Buffer.alloc(0) })
  const reads = Array.from({ length: 10 }, (_, index) => credentials.read(file, { signal, account: `${index}` }))
  const manifest = { title: '', actions: [], ingredients: [] }
  assert.equal(await credentials.sign(await file(), manifest, { signal, account: '0' }), signed)
  assert.equal(running, limits.credentialsReadingMax)
  end.resolve(undefined)
  await Promise.all(reads)
  assert.equal(running, 10)
})

async function open(dataDir: string): Promise<void> {
  const credentials = await openCredentials(readConfig({ DATA_DIR: dataDir }))
  await credentials.close()
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-credentials-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}
