/**
 * Hostile files of many formats, in each way that reaches the service. Each ends with an error of the caller or with a result, within the
 * limits of CPU time; the service stays live, and another account executes meanwhile.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { limits } from '../../src/limits.ts'
import { type Client, ok, type Reply } from '../harness/client.ts'
import { canvas, type Document, scale } from '../harness/documents.ts'
import { file as filePart } from '../harness/multipart.ts'
import { plain } from '../harness/pictures.ts'
import { type Service, startWithoutExamples } from '../harness/service.ts'
import { newAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { ErrorBody, Execution } from '../harness/types.ts'
import { save, upload } from '../harness/workflows.ts'
import { drawingFiles } from './files/drawings.ts'
import { fontFiles } from './files/fonts.ts'
import type { HostileFile, ParameterWay, Way } from './files/hostile-file.ts'
import { rasterFiles } from './files/raster.ts'
import { textFiles } from './files/texts.ts'
import { countPoolSeconds, type Watch, watchService } from './files/watch.ts'

/** A file is looked at, and then decoded in another process if it is large; each at most with one other try. */
const poolSecondsMax = 2 * 2 * limits.inspectSeconds
/** No machine that runs these tests is slower. On an idle one, the slowest check takes less than 200 ms. */
const liveMsMax = 5_000

type Outcome = { status: number; code: string; message: string }

describe('hostile files', { skip: process.platform !== 'linux' && 'reads CPU time in /proc', concurrency: 1 }, () => {
  let service: Service
  let sources: SourceHost
  let api: Client
  let ids: Record<string, string>
  let others: Watch
  /** Health checks next to all files. */
  let checks = 0
  let pools: ReturnType<typeof countPoolSeconds>

  before(async () => {
    process.stdout.write(
      'Kind | fault | way | end | elapsed | CPU of the pools | slowest /health/live | timer | slowest of B | message\n',
    )
    service = await startWithoutExamples({ FETCH_ALLOW: 'localhost', CACHE_MAX_BYTES: '0' })
    sources = await startSourceHost()
    api = (await newAccount({ service })).api
    ids = Object.fromEntries(
      await Promise.all(
        Object.entries(documents).map(async ([name, document]) => [name, (await save(api, document)).id]),
      ),
    )
    const other = (await newAccount({ service })).api
    const photo = await upload(other, await plain('jpeg', 400, 300))
    const document = scale()
    Object.assign(document.parameters?.[0] ?? {}, { required: false, default: photo.id })
    others = watchService(service.origin, other.key ?? '', (await save(other, document)).id)
    pools = countPoolSeconds(service.processIds()[0] ?? 0)
    await others.lap()
  })
  after(async () => {
    others?.stop()
    pools?.stop()
    await sources?.close()
    await service?.remove()
  })

  for (const hostile of [...rasterFiles, ...drawingFiles, ...fontFiles, ...textFiles]) {
    test(`${hostile.kind} with ${hostile.fault}`, async () => {
      const bytes = Buffer.from((await hostile.make()) as string)
      const problems: string[] = []
      for (const way of hostile.ways) problems.push(...(await judge(hostile, way, bytes)))
      assert.deepEqual(problems, [])
    })
  }

  test('the executor has not ended, and the service has no defect', () => {
    assert.ok(checks > 0)
    assert.ok(!service.lines.some((line) => line.includes('the executor ended')))
    assert.ok(!service.lines.some((line) => line.includes('internal_error')))
  })

  async function judge({ kind, fault, mayPass }: HostileFile, way: Way, bytes: Buffer): Promise<string[]> {
    const [startMs, startSeconds] = [performance.now(), pools.seconds()]
    const { status, code, message } = await send(way, bytes)
    const elapsed = (performance.now() - startMs) / 1_000
    const cpu = pools.seconds() - startSeconds
    const lap = await others.lap()
    checks += lap.checks
    const ms = [lap.slowestCheckMs, lap.timerMs, lap.slowestExecutionMs].map((value) => `${Math.round(value)} ms`)
    const columns = [kind, fault, way, code, `${elapsed.toFixed(1)} s`, `${cpu.toFixed(1)} s`, ...ms, message]
    process.stdout.write(`${columns.join(' | ')}\n`)
    const isRefused = status === 400 || refusals.includes(code)
    const isAccepted = status < 300 && (mayPass || way === 'verify')
    const conditions: [boolean, string][] = [
      [isRefused || isAccepted, `it ended with ${status} ${code} ${message}`],
      [cpu <= poolSecondsMax, `it took ${cpu} s of CPU`],
      [lap.failures.length === 0, `next to it: ${lap.failures}`],
      [lap.slowestCheckMs <= liveMsMax, `a health check took ${lap.slowestCheckMs} ms`],
    ]
    return conditions.filter(([isGood]) => !isGood).map(([, problem]) => `${way}: ${problem}`)
  }

  async function send(way: Way, bytes: Buffer): Promise<Outcome> {
    const post = async (path: string, name = 'picture') =>
      outcomeOf(await api.call('POST', path, { parts: [filePart(bytes, name)] }))
    switch (way) {
      case 'upload':
        return post('/storage/upload')
      case 'verify':
        return post('/verify')
      case 'font':
        return post('/fonts', 'font')
      case 'csv':
      case 'ndjson': {
        const { id } = ok(await api.post<{ id: string }>('/batches', { workflowId: ids.rows }), 201)
        const headers = { 'content-type': way === 'csv' ? 'text/csv' : 'application/x-ndjson' }
        return outcomeOf(await api.call('PUT', `/batches/${id}/items`, { body: bytes, headers, keepAlive: false }))
      }
      case 'url': {
        const source = sources.serve('/hostile', (_request, response) => response.end(bytes))
        return execute(ids[way], source)
      }
      case 'css': {
        const saved = await api.post<{ id: string }>('/workflows', styled(bytes.toString()))
        return saved.status === 201 ? execute(saved.body.id, 'a') : outcomeOf(saved)
      }
      default:
        return execute(ids[way], bytes.toString())
    }
  }

  async function execute(workflowId: string | undefined, source: string): Promise<Outcome> {
    const parameters = { source }
    const reply = await api.post<Execution & ErrorBody>('/workflows/execute', { workflowId, parameters })
    if (reply.status !== 202) return outcomeOf(reply)
    const { error } = await api.ended(reply.body.executionId)
    if (!error) return { status: 200, code: 'late', message: '' }
    return { status: 500, code: `${error.code} ${error.details.reason}`, message: error.message }
  }
})

/** The reasons that are the file's. */
const refusals = ['workflow_failed input_invalid', 'workflow_failed limit_exceeded']

function outcomeOf({ status, body }: Reply<unknown>): Outcome {
  const { error } = body as Partial<ErrorBody>
  const issues = error?.details.issues as { message: string }[] | undefined
  const code = [error?.code ?? 'accepted', error?.details.reason].filter(Boolean).join(' ')
  return { status, code, message: issues?.[0]?.message ?? error?.message ?? '' }
}

/** A workflow with one node, whose param is the value of the parameter `source`. */
function withText(type: string, params: Record<string, unknown>, inputs?: Record<string, string>): Document {
  const nodes = { ...(inputs && canvas().nodes), drawn: { type, params, ...(inputs && { inputs }) } }
  const parameters = [{ name: 'source', type: 'string', required: true }]
  return { name: type, parameters, nodes, output: { node: 'drawn', format: 'png' } }
}

const styled = (css: string) => withText('html', { html: `${'<b>a</b>'.repeat(300)}{{ source }}`, css })

const documents: Record<'url' | 'rows' | Exclude<ParameterWay, 'css'>, Document> = {
  url: scale(),
  rows: { ...canvas({ width: '{{ size }}' }), parameters: [{ name: 'size', type: 'number', required: true }] },
  svg: withText('svg', { svg: '{{ source }}' }),
  html: withText('html', { html: '{{ source | raw }}', height: 600 }),
  cube: withText('lut', { cube: '{{ source }}' }, { image: 'sheet' }),
  data: withText('chart', { data: '{{ source }}' }),
  text: withText('text', { text: '{{ source }}', size: 20, markup: true }, { image: 'sheet' }),
}
