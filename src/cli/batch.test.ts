import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Command } from 'commander'
import { Tintype } from '../../client/src/client.ts'
import type { Fault } from '../errors.ts'
import { batchCommand } from './batch.ts'
import { openAccount } from './target.ts'

const folder = mkdtempSync(join(tmpdir(), 'tintype-test-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs the command with a fake service whose results have these parts. */
const run = (zipParts: object[], ...args: string[]) => runWith({}, zipParts, ...args)

/** `failing`: the codes of errors, by method and path. `cuts`: downloads that are cut before one is complete. */
async function runWith(failing: Record<string, string>, zipParts: object[], ...args: string[]) {
  const requests: string[] = []
  const downloads: [path: string, content: string][] = []
  const created: object[] = []
  const file = join(folder, 'cards.csv')
  writeFileSync(file, 'key\na\n')
  const counts = { total: 3, pending: 0, running: 0, completed: 3, failed: 0, cancelled: 0 }
  const batch = { id: 'b', status: 'completed', counts }
  const bodies: Record<string, object> = {
    '/batches': { id: 'b' },
    '/batches/b/items': batch,
    '/batches/b/estimate': { rows: 3, cost: { minUsd: 0, maxUsd: 0 }, expectedDuration: null },
    '/batches/b/start': batch,
    '/batches/b': batch,
    '/batches/b/results': { zipParts },
    '/workflows/wf?version=2': { parameters: [{ name: 'size', type: 'number' }] },
  }
  const respond = (status: number, body: object) => Response.json(body, { status })
  const client = new Tintype({
    url: 'http://service.test',
    key: 'k',
    maxRetries: 0,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input))
      const path = pathname.replace('/v1', '') + search
      const name = `${init?.method} ${path}`
      requests.push(name)
      const code = failing[name]
      if (code !== undefined) return respond(400, { error: { code, message: `${code}.`, details: {} } })
      if (path.includes('/results.')) {
        downloads.push([path, `content of ${path}`])
        return new Response(`content of ${path}`)
      }
      if (path.endsWith('/events'))
        return new Response(`id: 1\nevent: batch\ndata: ${JSON.stringify(batch)}\n\n`, {
          headers: { 'content-type': 'text/event-stream' },
        })
      if (path === '/batches') created.push(JSON.parse(String(init?.body)) as object)
      const body = bodies[path]
      return body ? respond(200, body) : respond(403, { error: { code: 'forbidden', message: path, details: {} } })
    },
  })
  let printed: unknown
  const program = new Command()
  batchCommand(
    program,
    async (_options, work) => {
      printed = (await work(openAccount(client)))?.answer
    },
    () => assert.fail(),
  )
  const refused = await program
    .parseAsync(['batch', file, '--workflow', 'wf', ...args], { from: 'user' })
    .then(() => undefined)
    .catch((error: Fault) => error)
  const results = (printed as { results: string | string[] } | undefined)?.results
  return {
    downloads: downloads.map(([path]) => path),
    contents: [results ?? []].flat().map((path) => readFileSync(path, 'utf8')),
    created,
    requests,
    refused,
    refusal: refused?.message,
    results,
  }
}

const parts = [
  { fromRow: 1, toRow: 2 },
  { fromRow: 3, toRow: 3 },
]

test('a batch with more images than a ZIP file can have is downloaded as numbered files', async () => {
  const { downloads, contents, results } = await run(parts)
  assert.deepEqual(downloads, ['/batches/b/results.zip?fromRow=1&toRow=2', '/batches/b/results.zip?fromRow=3&toRow=3'])
  assert.deepEqual(
    contents,
    downloads.map((path) => `content of ${path}`),
  )
  assert.deepEqual(results, [join(folder, 'cards-results-1.zip'), join(folder, 'cards-results-2.zip')])
  const named = await run(parts, '--out', join(folder, 'all'))
  assert.deepEqual(named.results, [join(folder, 'all-1'), join(folder, 'all-2')])
})

test('one ZIP file, and a table, have the name of the option', async () => {
  const one = await run([{ fromRow: 1, toRow: 3 }])
  assert.deepEqual(one.downloads, ['/batches/b/results.zip'])
  assert.equal(one.results, join(folder, 'cards-results.zip'))
  const table = await run(parts, '--format', 'csv')
  assert.deepEqual([table.downloads, table.results], [['/batches/b/results.csv'], join(folder, 'cards-results.csv')])
})

test('results that could not be saved are an error before the batch is created', async () => {
  for (const [out, reason] of [
    [join(folder, 'cards.csv'), /is the input/],
    [folder, /is a folder/],
    [join(folder, 'missing', 'results.zip'), /does not exist or is not writable/],
  ] as const) {
    const { created, refusal } = await run(parts, '--out', out)
    assert.match(refusal ?? '', reason)
    assert.deepEqual(created, [])
  }
})

test('a parameter of all rows is a number if the workflow has a number; a key that cannot read the workflow sends text', async () => {
  const defaultsOf = async (...args: string[]) =>
    (await run(parts, '--param', 'size=5', '--param', 'title=5', ...args)).created.map(
      (body) => (body as { defaults: object }).defaults,
    )
  assert.deepEqual(await defaultsOf('--workflow', 'wf@2'), [{ size: 5, title: '5' }])
  assert.deepEqual(await defaultsOf('--workflow', 'wf@3'), [{ size: '5', title: '5' }])
})

for (const name of [
  'POST /batches/b/start',
  'GET /batches/b/events',
  'GET /batches/b/results',
  'GET /batches/b/results.zip',
])
  test(`an error of ${name} names the batch and keeps its code`, async () => {
    const { refused, requests } = await runWith({ [name]: 'unavailable' }, [{ fromRow: 1, toRow: 3 }])
    assert.equal(refused?.code, 'unavailable')
    assert.match(refused.message, /atch b .*unavailable\. .*tintype batches \w+ b"/)
    assert.ok(!requests.includes('DELETE /batches/b'))
  })

test('before its start, a batch is deleted if it was rejected, but not after an error that may be temporary', async () => {
  for (const name of ['PUT /batches/b/items', 'GET /batches/b/estimate']) {
    const kept = await runWith({ [name]: 'unavailable' }, parts)
    assert.match(kept.refusal ?? '', /^Batch b was created, but not started: .*tintype batches delete b/)
    assert.ok(!kept.requests.includes('DELETE /batches/b'))
    const deleted = await runWith({ [name]: 'invalid_request' }, parts)
    assert.equal(deleted.refusal, 'invalid_request.')
    assert.ok(deleted.requests.includes('DELETE /batches/b'))
  }
})
