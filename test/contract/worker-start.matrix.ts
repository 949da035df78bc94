/** Requirements of a worker before its first execution, on the server of TINTYPE_TEST_POSTGRES or on a separate one. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { newDatabaseOn, startPostgres } from '../harness/postgres.ts'
import { inherited, startProcess } from '../harness/process.ts'
import { scratchFolder } from './scratch.ts'

const serverUrl = process.env.TINTYPE_TEST_POSTGRES
const server = serverUrl === undefined ? await startPostgres({ durable: false }) : undefined
after(() => server?.remove())

test('a worker that cannot store bytes reports it and ends, and claims no execution', async (t) => {
  const storage = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/xml' })
    response.end('<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code></Error>')
  })
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve))
  t.after(() => storage.close())
  const { port } = storage.address() as AddressInfo
  const env = {
    ...inherited(),
    DATA_DIR: scratchFolder(),
    DATABASE_URL: await newDatabaseOn(serverUrl ?? server?.url ?? ''),
    STORAGE_URL: `s3://bucket?endpoint=http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'wrong',
  }
  const worker = startProcess(['worker'], { cwd: env.DATA_DIR, env }, [])
  t.after(() => worker.kill())
  assert.equal(await worker.waitForOutput(/works/).catch(() => worker.ended()), 1)
  assert.match(worker.printed().join(' '), /the storage returned 403 SignatureDoesNotMatch/)
})
