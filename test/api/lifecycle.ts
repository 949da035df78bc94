/** First start, restart, orderly stop and crash, with separate services because the tests end them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { area, fullOnly } from '../harness/area.ts'
import { assertFields, type Client, createClient, ok, refused } from '../harness/client.ts'
import { canvas, scale } from '../harness/documents.ts'
import type { OpenApiDocument } from '../harness/openapi.ts'
import { plain, sizeOf } from '../harness/pictures.ts'
import { inherited, program } from '../harness/process.ts'
import { type Service, startService, startWithoutExamples } from '../harness/service.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution, Executions, Image, Workflows } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, run, save, upload } from '../harness/workflows.ts'

area('the first start on an empty data directory, and the second', {}, () => {
  let service: Service
  let api: Client
  let key: string
  before(async () => {
    service = await startService()
    key = service.key
    api = await createClient(service, key)
  })
  after(() => service.remove())

  test('prints the address, the data directory and a key', () => {
    const printed = service.lines.join('\n')
    assert.ok(printed.includes(service.origin))
    assert.ok(printed.includes(service.dataDir))
    assert.match(key, /^tt_live_[0-9A-Za-z]{40,}$/)
  })

  test('prints a curl command that executes an example when it is pasted', async () => {
    assert.match(service.curl, /^curl /)
    const { stdout } = await shell(service.curl)
    const execution = JSON.parse(stdout) as Execution
    assertFields(execution, ['duration', 'executionId', 'output', 'status'])
    assert.equal(execution.status, 'completed')
    const rendered = await fetchImage(api, execution.output?.url ?? '')
    assert.deepEqual(
      [(await sizeOf(rendered)).width, (await sizeOf(rendered)).height],
      [execution.output?.width, execution.output?.height],
    )
  })

  fullOnly(
    'creates an account on the enterprise plan with at least five examples, each of which executes',
    async () => {
      const { workflows } = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
      assert.ok(workflows.length >= 5, `${workflows.length} examples`)
      const reply = await api.get('/projects')
      assert.ok(Number(reply.headers['x-ratelimit-limit']) > 300)
    },
  )

  fullOnly('stores the key only as a hash', () => {
    const files = filesBelow(service.dataDir)
    // With PostgreSQL and S3 the folder may be empty.
    assert.ok(files.length > 0 || service.environment.DATABASE_URL !== undefined)
    assert.deepEqual(filesWith(files, key), [])
  })

  test('the second start prints no key, and all data is still there', async () => {
    const image = await upload(api, await plain('png'))
    const { id } = await save(api, canvas())
    const before = ok(await api.get<Workflows>('/workflows', { limit: 100 }))
    assert.equal((await api.get('/projects')).headers['strict-transport-security'], undefined)
    assert.equal(await service.stop(), 0)
    writeFileSync(
      path.join(service.dataDir, '.env'),
      'PUBLIC_URL=https://tintype.example\nIMAGES_URL=https://cdn.example/pictures\nHSTS_MAX_AGE_SECONDS=3600\n',
    )
    service = await service.restart()
    assert.deepEqual([service.key, service.curl], ['', ''])
    api = await createClient(service, key)
    const again = ok(await api.get<Image & { thumbnailUrl?: string }>(`/storage/images/${image.id}`))
    const moved = { url: '', thumbnailUrl: '' }
    assert.deepEqual({ ...again, ...moved }, { ...image, ...moved })
    assert.ok(again.thumbnailUrl?.startsWith('https://tintype.example/i/'), again.thumbnailUrl)
    assert.deepEqual(ok(await api.get<Workflows>('/workflows', { limit: 100 })), before)
    assert.equal((await run(api, id)).width, 8)
    assert.deepEqual(filesWith(filesBelow(service.dataDir), key), [])
  })

  fullOnly(
    'an .env in the working directory is read: the reference is at PUBLIC_URL, images are at IMAGES_URL, and both are sources',
    async () => {
      const { servers } = ok(await api.get<OpenApiDocument>('/openapi.json'))
      assert.deepEqual(
        servers?.map((each) => each.url),
        ['https://tintype.example/v1'],
      )
      for (const path of ['/v1/projects', '/v1/none', '/docs', '/health/live', '/'])
        assert.equal((await api.root('GET', path)).headers['strict-transport-security'], 'max-age=3600', path)
      const image = await upload(api, await plain('png', 20, 10))
      assert.equal(image.url, `https://cdn.example/pictures/${image.id}.png`)
      const { id } = await save(api, scale())
      for (const source of [image.url, `https://tintype.example/images/${image.id}.png`]) {
        assert.equal((await run(api, id, { source })).height, 10)
      }
    },
  )
})

area('the end of the service', {}, () => {
  let service: Service
  let api: Client
  let key: string
  let outside: SourceHost
  let scaleId: string
  before(async () => {
    outside = await startSourceHost()
    service = await startWithoutExamples({
      FETCH_ALLOW: 'localhost',
      EXECUTIONS_RUNNING_MAX: '2',
      SHUTDOWN_GRACE_SECONDS: '1',
    })
    key = service.key
    api = await createClient(service, key)
    scaleId = (await save(api, scale())).id
  })
  after(async () => {
    await service.remove()
    await outside.close()
  })
  /** Starts an execution on a separate connection: one to a process that was killed may not be closed yet. */
  const startExecution = async (source: string): Promise<string> => {
    const json = { workflowId: scaleId, parameters: { source }, async: true }
    return ok(await api.call<Execution>('POST', '/workflows/execute', { json, keepAlive: false }), 202).executionId
  }
  const restart = async (environment: Record<string, string> = {}): Promise<void> => {
    service = await service.restart(environment)
    api = await createClient(service, key)
  }
  const assertComplete = async (ids: string[]): Promise<void> => {
    for (const id of ids) {
      const ended = await api.ended(id)
      assert.deepEqual([ended.status, ended.output?.width], ['completed', 20], JSON.stringify(ended))
      assert.equal((await sizeOf(await fetchImage(api, ended.output?.url ?? ''))).width, 20)
    }
  }

  test('SIGTERM during work loses nothing: executions that exceed the grace period, and waiting ones, complete after the next start', async () => {
    const hold = outside.hold()
    const ids = [await startExecution(hold.url), await startExecution(hold.url)]
    await hold.waiting()
    for (let i = 0; i < 4; i++) ids.push(await startExecution(outside.url(`/term-${i}.png`)))
    assert.equal(await service.stop(), 0)
    hold.release()
    await restart({ SHUTDOWN_GRACE_SECONDS: '10' })
    await assertComplete(ids)
  })

  fullOnly(
    'SIGTERM lets a running execution finish within the grace period, and its client gets the response',
    async () => {
      const hold = outside.hold()
      const response = api.post<Execution>('/workflows/execute', {
        workflowId: scaleId,
        parameters: { source: hold.url },
      })
      await hold.waiting()
      const { executions } = ok(await api.get<Executions>('/workflows/executions', { limit: 1 }))
      const path = `/workflows/executions/${executions[0]?.executionId}`
      const status = api.call<Execution>('GET', path, { query: { wait: 55 }, keepAlive: false })
      service.signal('SIGTERM')
      await until('a service that accepts no more work', async () => {
        const reply = await api
          .call('POST', '/workflows/execute', {
            json: { workflowId: scaleId, parameters: { source: 'x' }, async: true },
            keepAlive: false,
          })
          .catch(() => undefined)
        if (reply?.status === 202) return undefined
        if (reply) {
          refused(reply, 'unavailable')
          assert.match(reply.headers['retry-after'] ?? '', /^[1-9]\d*$/)
        }
        return true
      })
      // With several processes, the one without a waiting client may get the signal later, or have ended already.
      const unready = await until('a service that reports that it is not ready', async () => {
        const reply = await api.root('GET', '/health/ready', { keepAlive: false }).catch(() => undefined)
        return reply === undefined || reply.status === 200 ? undefined : reply
      })
      refused(unready, 'unavailable')
      const health = await api.root('GET', '/health', { keepAlive: false }).catch(() => undefined)
      // A process that has no waiting client may have ended.
      if (health) refused(health, 'unavailable')
      // A status check doesn't delay the end.
      assert.equal(ok(await status).status, 'running')
      hold.release()
      assert.equal(ok(await response).status, 'completed')
      assert.equal(await service.ended(), 0)
      await restart()
    },
  )

  test('kill -9 during executions loses no accepted one: each ends after the next start', async () => {
    const hold = outside.hold()
    const ids = [await startExecution(hold.url), await startExecution(hold.url)]
    await hold.waiting()
    for (let i = 0; i < 6; i++) ids.push(await startExecution(outside.url(`/kill-${i}.png`)))
    await service.kill()
    hold.release()
    await restart()
    await assertComplete(ids)
  })

  fullOnly('kill -9 right after a 202 finds the execution durably recorded', async () => {
    const ids = [await startExecution(outside.url('/durable.png'))]
    await service.kill()
    await restart()
    await assertComplete(ids)
  })

  fullOnly('kill -9 during uploads leaves no image without bytes', async () => {
    const bytes = await plain('png', 300, 300)
    const uploads = Array.from({ length: 20 }, () => upload(api, bytes))
    await Promise.any(uploads)
    await service.kill()
    const results = await Promise.allSettled(uploads)
    const completed = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    await restart()
    assert.ok(completed.length > 0)
    for (const { id } of completed) ok(await api.get(`/storage/images/${id}`))
    const { images } = ok(await api.get<{ images: Image[] }>('/storage/images', { limit: 100 }))
    for (const { url, size } of images) assert.equal((await fetchImage(api, url)).length, size)
  })

  fullOnly('an occupied port is reported in one sentence, and the exit code is not 0', async () => {
    const { code, output } = await serve({
      PORT: new URL(service.origin).port,
      DATA_DIR: path.join(service.dataDir, 'other'),
    })
    assert.notEqual(code, 0)
    assert.match(output, /in use|EADDRINUSE/)
  })

  test('all invalid settings are reported together, and the exit code is not 0', async () => {
    const { code, output } = await serve({
      PORT: 'abc',
      UPLOAD_MAX_BYTES: '-1',
      DATA_DIR: path.join(service.dataDir, 'other'),
    })
    assert.notEqual(code, 0)
    assert.match(output, /PORT/)
    assert.match(output, /UPLOAD_MAX_BYTES/)
    assert.doesNotMatch(output, /\n {4}at /, 'sentences, not a stack')
  })
})

/** A start that must fail. */
function serve(environment: Record<string, string>): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...inherited(), HOST: '127.0.0.1', ...environment }
    execFile(process.execPath, [program, 'serve'], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr })
    })
  })
}

function shell(command: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', command], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

/** Skips files that the service has removed since they were listed. */
function filesWith(files: readonly string[], text: string): string[] {
  return files.filter((file) => {
    try {
      return readFileSync(file).includes(text)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  })
}
