/** Keys of providers never appear in data, logs or responses of a service, whatever providers do with them. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Fault } from '../../fakes/src/faults.ts'
import { providersById } from '../../src/providers/index.ts'
import { tintype } from '../harness/cli.ts'
import { sendRequest } from '../harness/http.ts'
import { startWithoutExamples } from '../harness/service.ts'
import { until } from '../harness/wait.ts'
import { documentOf, environmentOf, startFakeModels } from './fake-models.ts'

/** A different key for each, which no other text contains. */
const keyOf = (id: string) => `sk-${id}-Zq7/Xw+${[...id].reverse().join('')}=4kTvB9eJm2`
const keys = [...providersById.keys()].map(keyOf)

/** Ways in which a provider can leak a key that it received. */
const failureCases: Record<string, (key: string) => Fault | undefined> = {
  nothing: () => undefined,
  'repeats it in a rejection': (key) => failureWith(401, { error: { message: `Incorrect API key provided: ${key}.` } }),
  'repeats it as text': (key) => failureWith(403, `no access for ${key}`),
  'repeats it in base64': (key) =>
    failureWith(400, { error: { message: `Basic ${Buffer.from(key).toString('base64')}` } }),
  'repeats it in a URL': (key) => failureWith(422, { detail: `/v1?key=${encodeURIComponent(key)}` }),
  'fails with it': (key) => failureWith(500, { message: key }),
  'sends it back in a header': (key) => ({
    ...failureWith(404, {}),
    headers: { 'x-request-id': key, location: `/${key}` },
  }),
  'responds with a page that contains it': (key) => failureWith(200, `<html>${key}</html>`),
}

function failureWith(status: number, body: unknown): Fault {
  return { when: { method: 'POST' }, do: 'status', status, body }
}

test('no file, log line, response, archive or output of a command contains a key of a provider', async (t) => {
  // A model with ten seconds between polls shows nothing that another model of its provider does not.
  const models = (await startFakeModels(undefined, { keyOf })).filter(
    ({ name }) => name !== 'stability/upscale-creative',
  )
  const fakes = [...new Set(models.map(({ fake }) => fake))]
  after(() => Promise.all(fakes.map((fake) => fake.close())))
  const folder = await mkdtemp(join(tmpdir(), 'tintype-secrets-'))
  t.after(() => rm(folder, { recursive: true }))
  const { FAL_KEY = '', ...environment } = environmentOf(models)
  assert.ok(keys.includes(FAL_KEY), 'the environment holds the keys')
  await writeFile(join(folder, 'fal'), `${FAL_KEY}\n`)
  const service = await startWithoutExamples({
    ...environment,
    // A key that the server doesn't need, but a proxy in front of it may.
    COMFYUI_API_KEY: keyOf('comfyui'),
    FAL_KEY_FILE: join(folder, 'fal'),
    LOG_LEVEL: 'trace',
  })
  t.after(() => service.remove())

  /** All responses to callers. */
  const sentBytes: Buffer[] = []
  async function call<Body>(method: string, path: string, json?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${service.key}`, ...(json && { 'content-type': 'application/json' }) }
    const response = await sendRequest(service.origin, `/v1${path}`, {
      method,
      headers,
      body: json && JSON.stringify(json),
    })
    sentBytes.push(Buffer.from(`${JSON.stringify(response.headers)}\n`), response.bytes)
    return JSON.parse(response.bytes.toString()) as Body
  }

  let number = 0
  let completed = 0
  const failures = new Set<string>()
  const sent: string[] = []
  for (const [name, fault] of Object.entries(failureCases)) {
    const requests = models.map(async (model) => {
      const script = fault(model.fake.key)
      // As often as it is retried, and no more.
      if (script) model.fake.script({ ...script, times: 9 })
      number += 1
      const { id: workflowId } = await call<{ id: string }>('POST', '/workflows', documentOf(model, number, 'made'))
      const body = { workflowId, async: true }
      const { executionId } = await call<{ executionId: string }>('POST', '/workflows/execute', body)
      const path = `/workflows/executions/${executionId}`
      const { status, error } = await until(`${model.name}, which ${name}`, async () => {
        const now = await call<{ status: string; error?: { details: { problem?: string } } }>('GET', path)
        return now.status === 'completed' || now.status === 'failed' ? now : undefined
      })
      await call('GET', `${path}/steps`)
      if (status === 'completed') completed += 1
      if (error?.details.problem) failures.add(error.details.problem)
    })
    await Promise.all(requests)
    for (const fake of fakes) {
      sent.push(JSON.stringify(fake.log))
      fake.reset()
    }
  }
  assert.ok(completed >= models.length, `${completed} have completed: the keys are right`)
  assert.ok(
    ['auth', 'invalid_request', 'outcome_unknown'].every((kind) => failures.has(kind)),
    [...failures].join(),
  )
  for (const path of ['/providers', '/usage', '/operations', '/openapi.json', '/workflows/executions'])
    await call('GET', path)

  const archive = join(folder, 'all.tar')
  for (const args of [['providers'], ['providers', '--json'], ['usage'], ['export', archive]]) {
    const { code, stdout, stderr } = await tintype(service, ...args)
    assert.equal(code, 0, stderr)
    sentBytes.push(Buffer.from(stdout), Buffer.from(stderr))
  }
  await service.stop()

  const places = new Map<string, Buffer>([
    ['responses and output', Buffer.concat(sentBytes)],
    ['the log', Buffer.from(service.lines.join('\n'))],
    ['the archive', await readFile(archive)],
  ])
  for (const entry of await readdir(service.dataDir, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) places.set(entry.name, await readFile(join(entry.parentPath, entry.name)))
  assert.ok(places.size > 20 && service.lines.length > 100, `${places.size} places, ${service.lines.length} lines`)
  for (const [place, bytes] of places)
    for (const key of keys) for (const form of formsOf(key)) assert.ok(!bytes.includes(form), `${place} has ${form}`)
  // The search finds it.
  const unsent = keys.filter((key) => !sent.join().includes(JSON.stringify(key).slice(1, -1)))
  assert.deepEqual(unsent, [], 'every key was sent')
})

/** Forms of a key: also parts of it, and base64 with any offset. */
function formsOf(key: string): string[] {
  const shifted = [0, 1, 2].map((by) =>
    Buffer.from(`${' '.repeat(by)}${key}`)
      .toString('base64')
      .slice(4, -4),
  )
  return [key, key.slice(0, -6), key.slice(6), encodeURIComponent(key), Buffer.from(key).toString('hex'), ...shifted]
}
