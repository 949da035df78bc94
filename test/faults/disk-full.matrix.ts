/** A data directory on a disk that fills up and has room again. Needs a user who may mount a file system. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, fstatSync, ftruncateSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createFsBlobs } from '../../src/storage/blobs/fs.ts'
import { openDatabase } from '../../src/storage/database/open.ts'
import { canvas, scale } from '../harness/documents.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
import { file, multipart, multipartType } from '../harness/multipart.ts'
import { noise, plain } from '../harness/pictures.ts'
import { inherited, startProcess } from '../harness/process.ts'
import { startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { checkInvariants } from './invariants.ts'
import { sweepAll } from './sweep-all.ts'

const dir = mkdtempSync(join(tmpdir(), 'tintype-disk-'))
const skip = mountSmall()
after(() => {
  if (!skip) execFileSync('umount', ['-l', dir])
  rmdirSync(dir)
})

/** Reason why the test can't run, if any. */
function mountSmall(): string | false {
  if (process.platform !== 'linux') return 'only Linux has tmpfs'
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', dir], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `tmpfs may not be mounted here: ${(error as Error).message.split('\n').at(-2) ?? ''}`
  }
}

test('a full disk rejects writes, loses nothing, can be read, and works again when there is room', {
  skip,
}, async (t) => {
  const outside = await startSourceHost()
  const lines: string[] = []
  // It writes until the last byte.
  const env = { ...environment(), DISK_RESERVE_BYTES: '0' }
  const service = startProcess(['serve'], { cwd: dir, env }, lines)
  t.after(async () => {
    await service.kill()
    await outside.close()
  })
  const origin = (await service.waitForOutput(/http:\/\/127\.0\.0\.1:\d+\/v1/)).replace('/v1', '')
  const key = await service.waitForOutput(/tt_live_[0-9A-Za-z]+/)
  const observed = { accepted: new Set<string>(), stored: new Set<string>(), ended: new Map<string, string>() }
  const uploads = new Map<string, Buffer>()

  async function send(method: string, path: string, body?: object | Buffer): Promise<HttpResponse> {
    const type = body instanceof Buffer ? multipartType : 'application/json'
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) }
    const bytes = body && (body instanceof Buffer ? body : Buffer.from(JSON.stringify(body)))
    return sendRequest(origin, path, { method, headers, body: bytes, keepAlive: false })
  }
  async function upload(image: Buffer): Promise<HttpResponse> {
    const response = await send('POST', '/v1/storage/upload', multipart([file(image)]))
    if (response.status !== 201) return response
    const { id } = parsed<{ id: string }>(response)
    observed.stored.add(id)
    uploads.set(id, image)
    return response
  }
  async function execute(workflowId: string, parameters: object, async: boolean): Promise<HttpResponse> {
    const response = await send('POST', '/v1/workflows/execute', { workflowId, parameters, async })
    if (response.status < 300) observed.accepted.add(parsed<Execution>(response).executionId)
    return response
  }
  const saved = async (document: object) => parsed<{ id: string }>(await send('POST', '/v1/workflows', document)).id
  async function read(): Promise<void> {
    for (const [id, bytes] of uploads) {
      const response = await send('GET', `/images/${id}.png`)
      assert.equal(response.status, 200)
      assert.ok(response.bytes.equals(bytes), `${id}: its bytes`)
    }
    for (const id of observed.accepted) assert.equal((await send('GET', `/v1/workflows/executions/${id}`)).status, 200)
    for (const list of ['/v1/workflows', '/v1/workflows/executions', '/v1/storage/images'])
      assert.equal((await send('GET', list)).status, 200, list)
  }

  const [small, large] = await Promise.all([plain('png'), noise('png', 500, 400)])
  const scaling = await saved(scale())
  const drawing = await saved(canvas())
  assert.equal((await upload(small)).status, 201)
  assert.equal((await upload(large)).status, 201)
  assert.equal((await execute(drawing, {}, false)).status, 200)
  // It runs when the disk fills up, and can't store its output.
  const heldSource = outside.hold()
  assert.equal((await execute(scaling, { source: heldSource.url }, true)).status, 202)
  await heldSource.waiting()

  const ballast = fill()
  heldSource.release()
  const refused = [await upload(large), await upload(large)]
  // Executions are accepted until the log has no room.
  for (let i = 0; i < 2_000 && refused.at(-1)?.status === 503; i++) {
    const response = await execute(drawing, {}, true)
    if (response.status !== 202) {
      refused.push(response)
      break
    }
  }
  for (let i = 0; i < 20; i++) {
    const response = await send('POST', '/v1/workflows', { ...canvas(), description: 'x'.repeat(4_000) })
    if (response.status === 201) observed.stored.add(parsed<{ id: string }>(response).id)
    else refused.push(response)
  }
  for (const { status, bytes } of refused) {
    assert.equal(status, 503, `${bytes}`)
    assert.match(`${bytes}`, /storage of the service is full/)
  }
  await read()
  t.diagnostic(`${refused.length} refused, ${observed.accepted.size} executions accepted`)
  assert.ok(service.isRunning())

  rmSync(ballast)
  for (const image of [small, large]) assert.equal((await upload(image)).status, 201)
  assert.equal((await execute(drawing, {}, false)).status, 200)
  for (const id of observed.accepted) {
    const ended = await until(`the end of ${id}`, async () => {
      const now = parsed<Execution>(await send('GET', `/v1/workflows/executions/${id}`))
      return now.status === 'completed' || now.status === 'failed' ? now : undefined
    })
    assert.equal(ended.status, 'completed', JSON.stringify(ended))
  }
  await read()
  assert.equal((await send('GET', '/health/ready')).status, 200)
  await service.kill()
  const database = await openDatabase({ file: join(dir, 'data', 'tintype.db') })
  t.after(() => database.close())
  const blobs = createFsBlobs({ dir: join(dir, 'data', 'blobs') })
  await sweepAll(database, blobs)
  await checkInvariants(database, blobs, { ...observed, swept: true })
})

test('below the default reserve, a small disk accepts no uploads and executions, the database still writes, and everything can be read', {
  skip,
}, async (t) => {
  const lines: string[] = []
  const service = startProcess(['serve'], { cwd: dir, env: environment() }, lines)
  t.after(() => service.kill())
  const origin = (await service.waitForOutput(/http:\/\/127\.0\.0\.1:\d+\/v1/)).replace('/v1', '')
  const key = await service.waitForOutput(/tt_live_[0-9A-Za-z]+/)
  const send = (method: string, path: string, body?: object | Buffer) => {
    const type = body instanceof Buffer ? multipartType : 'application/json'
    const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) }
    const bytes = body && (body instanceof Buffer ? body : Buffer.from(JSON.stringify(body)))
    return sendRequest(origin, path, { method, headers, body: bytes, keepAlive: false })
  }
  const png = await plain('png')
  const upload = () => send('POST', '/v1/storage/upload', multipart([file(png)]))
  const { id } = parsed<{ id: string }>(await upload())
  const workflowId = parsed<{ id: string }>(await send('POST', '/v1/workflows', canvas())).id
  const execute = (async: boolean) => send('POST', '/v1/workflows/execute', { workflowId, async })
  assert.equal((await execute(false)).status, 200)

  // A megabyte is left: less than 5 %.
  const ballast = fill(1_000_000)
  const isRefused = async () => {
    const { status, bytes, headers } = await upload()
    if (status === 201) return undefined
    assert.equal(status, 503, `${bytes}`)
    assert.match(`${bytes}`, /disk of the service is nearly full/)
    assert.ok(Number(headers['retry-after']) > 0)
    return true
  }
  await until('a refused upload', isRefused)
  assert.equal((await execute(true)).status, 503)
  assert.equal((await execute(false)).status, 503)
  assert.equal((await send('POST', '/v1/projects', { name: 'The database can write' })).status, 201)
  assert.equal((await send('GET', `/images/${id}.png`)).status, 200)
  assert.equal((await send('GET', '/health/ready')).status, 200)
  assert.equal((await send('DELETE', `/v1/storage/images/${id}`)).status, 200)
  assert.ok(lines.some((line) => /a disk is nearly full/.test(line) && line.includes(dir)))

  rmSync(ballast)
  await until('an accepted upload', async () => (await upload()).status === 201 || undefined)
  assert.equal((await execute(false)).status, 200)
})

function environment(): Record<string, string> {
  rmSync(join(dir, 'data'), { recursive: true, force: true })
  const data = { DATA_DIR: join(dir, 'data'), FETCH_ALLOW: 'localhost' }
  return { ...inherited(), HOST: '127.0.0.1', PORT: '0', ...data, EXECUTIONS_RUNNING_MAX: '2', LOG_LEVEL: 'warn' }
}

/** Fills the disk, up to some bytes that stay free. */
function fill(freeBytes = 0): string {
  const path = join(dir, 'ballast')
  const fd = openSync(path, 'w')
  try {
    for (const size of [1_000_000, 4_096, 1]) {
      try {
        for (;;) if (writeSync(fd, Buffer.alloc(size, 1)) < size) break
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
      }
    }
    ftruncateSync(fd, fstatSync(fd).size - freeBytes)
  } finally {
    closeSync(fd)
  }
  return path
}

function parsed<T>({ bytes }: HttpResponse): T {
  return JSON.parse(bytes.toString()) as T
}
