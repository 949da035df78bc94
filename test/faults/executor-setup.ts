/** A service, two accounts, and the requests in progress when its executor crashes. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import sharp from 'sharp'
import { runCommand } from '../harness/commands.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { crash, executorId } from '../harness/executor.ts'
import { type HttpResponse, sendRequest } from '../harness/http.ts'
import { file, multipart, multipartType } from '../harness/multipart.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { remains, until } from '../harness/wait.ts'

export type Setup = Awaited<ReturnType<typeof openExecutorSetup>>
export type Caller = Awaited<ReturnType<Setup['newCaller']>>

/** Keeps libvips busy for about a second. */
const heavy: Document = {
  name: 'Heavy',
  nodes: {
    sheet: { type: 'canvas', params: { width: 3_000, height: 2_000, color: '#336699' } },
    soft: { type: 'blur', inputs: { image: 'sheet' }, params: { sigma: 40 } },
  },
  output: { node: 'soft', format: 'webp', quality: 90 },
}

export async function openExecutorSetup(t: TestContext, environment: Record<string, string> = {}) {
  const outside: SourceHost = await startSourceHost()
  t.after(() => outside.close())
  const service: Service = await startWithoutExamples({
    EXECUTIONS_RUNNING_MAX: '4',
    FETCH_ALLOW: 'localhost',
    FETCH_TIMEOUT_SECONDS: '300',
    SHUTDOWN_GRACE_SECONDS: '1',
    ...environment,
  })
  /** The last start. */
  let running = service
  t.after(() => running.remove())
  const [servicePid] = service.processIds()
  assert.ok(servicePid)
  const photo = await sharp({ create: { width: 3_000, height: 2_000, channels: 3, background: '#456' } })
    .png()
    .toBuffer()

  return {
    service,
    servicePid,
    outside,

    async restart(): Promise<void> {
      running = await service.restart()
    },

    /** An account with its own workflows. */
    async newCaller(name: string) {
      const account = await runCommand<{ id: string }>(
        service,
        ...['accounts', 'create', '--name', name, '--plan', 'enterprise', '--rate-limit', '1000000'],
      )
      const { key } = await runCommand<{ key: string }>(service, 'keys', 'create', '--account', account.id)

      function send(method: string, path: string, body?: object | Buffer): Promise<HttpResponse> {
        const isFile = Buffer.isBuffer(body)
        const headers = {
          authorization: `Bearer ${key}`,
          ...(body && { 'content-type': isFile ? multipartType : 'application/json' }),
        }
        const bytes = isFile || body === undefined ? body : Buffer.from(JSON.stringify(body))
        return sendRequest(service.origin, `/v1${path}`, { method, headers, body: bytes, keepAlive: false })
      }

      async function call<Body>(method: string, path: string, body?: object): Promise<Body> {
        const response = await send(method, path, body)
        assert.ok(response.status < 300, `${method} ${path}: ${response.status} ${response.bytes}`)
        return JSON.parse(response.bytes.toString()) as Body
      }

      const workflow = async (document: Document) => (await call<{ id: string }>('POST', '/workflows', document)).id
      const scaleId = await workflow(scale())
      const heavyId = await workflow(heavy)
      const comparedId = await workflow(canvas())
      const start = async (workflowId: string, parameters: object) =>
        (await call<Execution>('POST', '/workflows/execute', { workflowId, parameters, async: true })).executionId

      return {
        send,
        look: (id: string) => call<Execution>('GET', `/workflows/executions/${id}`),
        /** Runs until the test releases its source. */
        executeHeld: (url: string) => start(scaleId, { source: url }),
        executeHeavy: () => start(heavyId, {}),
        executeAndWait: () => send('POST', '/workflows/execute', { workflowId: heavyId }),
        upload: () => send('POST', '/storage/upload', multipart([file(photo)])),
        thumbnail: (imageId: string) =>
          sendRequest(service.origin, `/images/${imageId}/thumbnail`, { keepAlive: false }),
        compare: () => send('PUT', `/workflows/${comparedId}?compare=true`, canvas({ color: '#00ff00' })),
        async countImages(): Promise<number> {
          const { total } = await call<{ total: number }>('GET', '/storage/images?limit=1')
          return total
        },
        async ended(id: string): Promise<Execution> {
          return until(`the end of ${id}`, async () => {
            const now = await call<Execution>('GET', `/workflows/executions/${id}`)
            return now.status === 'completed' || now.status === 'failed' ? now : undefined
          })
        },
      }
    },

    timesRequested: (url: string) => outside.requested.filter((each) => url.endsWith(each)).length,

    /** Crashes the current executor, and waits for the next. Returns its id. */
    async crashOnce(): Promise<number> {
      const pid = await executorId(servicePid)
      await crash(pid)
      return executorId(servicePid, pid)
    },

    async ready(): Promise<void> {
      await until('a response of /health/ready', async () => (await readiness()).status === 200 || undefined)
    },
    readiness,

    /** The last five errors in the log of the service. */
    problems: () =>
      service.lines
        .filter((line) => line.includes('"level":"error"'))
        .slice(-5)
        .join('\n'),

    /** Whether bytes of an upload wait to become an image. */
    hasStaged(): boolean {
      const folder = path.join(service.dataDir, 'blobs', 'tmp')
      return (
        existsSync(folder) &&
        readdirSync(folder, { recursive: true, withFileTypes: true }).some((each) => each.isFile())
      )
    },

    /** Checks that the service itself never ends and always responds. `end` returns the number of checks. */
    watch(): { end(): Promise<number> } {
      let isOver = false
      let checks = 0
      const isLive = async () => {
        const { status } = await sendRequest(service.origin, '/health/live', { keepAlive: false })
        checks += 1
        return status === 200
      }
      const watching = (async () => {
        while (!isOver) await remains('the service to respond', isLive, 1)
      })()
      watching.catch(() => undefined)
      t.after(() => {
        isOver = true
      })
      return {
        async end() {
          isOver = true
          await watching
          assert.deepEqual(service.processIds(), [servicePid])
          return checks
        },
      }
    },
  }

  function readiness(): Promise<HttpResponse> {
    return sendRequest(service.origin, '/health/ready', { keepAlive: false })
  }
}
