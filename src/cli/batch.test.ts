import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Command } from 'commander'
import { Fault } from '../errors.ts'
import { batchCommand } from './batch.ts'
import type { CliApi } from './cli-services.ts'

const folder = mkdtempSync(join(tmpdir(), 'tintype-test-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs the command with a fake service whose results have these parts. */
const run = (zipParts: object[], ...args: string[]) => runWith({}, zipParts, ...args)

/** `failing`: the errors of requests, by method and path. */
async function runWith(failing: Record<string, Error>, zipParts: object[], ...args: string[]) {
  const requests: string[] = []
  const request = (name: string) => {
    requests.push(name)
    if (failing[name]) throw failing[name]
  }
  const file = join(folder, 'cards.csv')
  writeFileSync(file, 'key\na\n')
  const counts = { total: 3, pending: 0, running: 0, completed: 3, failed: 0, cancelled: 0 }
  const downloads: [path: string, file: string][] = []
  const created: object[] = []
  const bodies: Record<string, object> = {
    '/batches': { id: 'b' },
    '/batches/b/estimate': { rows: 3, cost: { minUsd: 0, maxUsd: 0 }, expectedDuration: null },
    '/batches/b/start': {},
    '/batches/b': { id: 'b', status: 'completed', counts },
    '/batches/b/results': { zipParts },
    '/workflows/wf?version=2': { parameters: [{ name: 'size', type: 'number' }] },
  }
  const api = {
    json: async (method: string, path: string, body?: object) => {
      request(`${method} ${path}`)
      if (path === '/batches' && body) created.push(body)
      if (!(path in bodies)) throw new Fault('forbidden', path)
      return bodies[path]
    },
    upload: async (path: string) => request(`PUT ${path}`),
    download: async (path: string, to: string) => {
      request(`GET ${path}`)
      downloads.push([path, to.slice(folder.length + 1)])
    },
    close: async () => {},
  } as unknown as CliApi
  let printed: unknown
  const program = new Command()
  batchCommand(program, {
    actOn: () => async (work) => {
      printed = await work(api)
    },
    fail: () => assert.fail(),
  })
  const refused = await program
    .parseAsync(['batch', file, '--workflow', 'wf', '--key', 'k', ...args], { from: 'user' })
    .then(() => undefined)
    .catch((error: Fault) => error)
  const refusal = refused?.message
  return {
    downloads,
    created,
    requests,
    refused,
    refusal,
    results: (printed as { results: unknown } | undefined)?.results,
  }
}

const parts = [
  { fromRow: 1, toRow: 2 },
  { fromRow: 3, toRow: 3 },
]

test('a batch with more images than a ZIP file can have is downloaded as numbered files', async () => {
  const { downloads, results } = await run(parts)
  assert.deepEqual(downloads, [
    ['/batches/b/results.zip?fromRow=1&toRow=2', 'cards-results-1.zip'],
    ['/batches/b/results.zip?fromRow=3&toRow=3', 'cards-results-2.zip'],
  ])
  assert.deepEqual(results, [join(folder, 'cards-results-1.zip'), join(folder, 'cards-results-2.zip')])
  const named = await run(parts, '--out', join(folder, 'all'))
  assert.deepEqual(
    named.downloads.map(([, file]) => file),
    ['all-1', 'all-2'],
  )
})

test('one ZIP file, and a table, have the name of the option', async () => {
  const one = await run([{ fromRow: 1, toRow: 3 }])
  assert.deepEqual(one.downloads, [['/batches/b/results.zip', 'cards-results.zip']])
  assert.equal(one.results, join(folder, 'cards-results.zip'))
  assert.deepEqual((await run(parts, '--format', 'csv')).downloads, [['/batches/b/results.csv', 'cards-results.csv']])
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

const lost = new Fault('unavailable', 'The service can not be reached.')

for (const name of ['POST /batches/b/start', 'GET /batches/b', 'GET /batches/b/results', 'GET /batches/b/results.zip'])
  test(`an error of ${name} names the batch and keeps its code`, async () => {
    const { refused, requests } = await runWith({ [name]: lost }, [{ fromRow: 1, toRow: 3 }])
    assert.equal(refused?.code, 'unavailable')
    assert.match(refused.message, /atch b .*The service can not be reached\. .*\/batches\/b/)
    assert.ok(!requests.includes('DELETE /batches/b'))
  })

test('before its start, a batch is deleted if it was rejected, but not after an error that may be temporary', async () => {
  for (const name of ['PUT /batches/b/items', 'GET /batches/b/estimate']) {
    const kept = await runWith({ [name]: lost }, parts)
    assert.match(kept.refusal ?? '', /^Batch b was created, but not started: .*DELETE \/batches\/b/)
    assert.ok(!kept.requests.includes('DELETE /batches/b'))
    const deleted = await runWith({ [name]: new Fault('invalid_request', 'line 2 is wrong') }, parts)
    assert.equal(deleted.refusal, 'line 2 is wrong')
    assert.ok(deleted.requests.includes('DELETE /batches/b'))
  }
})
