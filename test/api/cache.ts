/** The step cache: a step with the same inputs doesn't run again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { area } from '../harness/area.ts'
import { type Client, ok } from '../harness/client.ts'
import { plain } from '../harness/pictures.ts'
import { firstAccount, secondAccount } from '../harness/shared.ts'
import { type SourceHost, startSourceHost } from '../harness/source-host.ts'
import type { Execution } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { fetchImage, save, upload } from '../harness/workflows.ts'

type From = Record<string, string>

interface Validation {
  steps: { node: string; servedFrom: string | null; expectedDuration: number | null }[]
}

area('the step cache', { concurrency: 4 }, () => {
  let api: Client
  let outside: SourceHost
  before(async () => {
    api = await firstAccount()
    outside = await startSourceHost()
  })
  after(() => outside.close())

  let created = 0
  /** A texture that takes longer to compute than to read from the cache, and that no other test uses. */
  const heavy = (words: object = {}) => {
    created += 1
    return {
      name: 'Heavy',
      parameters: [{ name: 'sigma', type: 'number', default: 9 }],
      nodes: {
        base: { type: 'noise', params: { width: 1000, height: 900, seed: created * 1000 + (Date.now() % 1000) } },
        soft: { type: 'blur', inputs: { image: 'base' }, params: { sigma: 40 } },
        calm: { type: 'denoise', inputs: { image: 'soft' } },
        last: { type: 'blur', inputs: { image: 'calm' }, params: { sigma: '{{ sigma }}' } },
        ...words,
      },
      output: { node: 'last', format: 'png' },
    }
  }
  const execute = async (workflowId: string, parameters: object = {}, as = api) => {
    const { executionId, output } = ok(await as.post<Execution>('/workflows/execute', { workflowId, parameters }))
    const { steps } = ok(
      await as.get<{ steps: { node: string; status: string; servedFrom?: string }[] }>(
        `/workflows/executions/${executionId}/steps`,
      ),
    )
    const from: From = Object.fromEntries(steps.map(({ node, status, servedFrom }) => [node, servedFrom ?? status]))
    return { output, from }
  }
  /** Waits for the step to be stored, which happens next to the execution. */
  const served = (awaited: string, workflowId: string, nodes: string[], parameters: object = {}) =>
    until(awaited, async () => {
      const { output, from } = await execute(workflowId, parameters)
      return nodes.every((node) => from[node] === 'cache') ? { output, from } : undefined
    })

  test('an equal execution returns the same bytes as a separate image, and runs no step', async () => {
    const { id } = await save(api, heavy())
    const first = await execute(id)
    assert.deepEqual(first.from, { base: 'completed', soft: 'completed', calm: 'completed', last: 'completed' })
    const again = await served('all steps from the cache', id, ['base', 'soft', 'calm', 'last'])
    assert.notEqual(again.output?.url, first.output?.url)
    const [one, other] = [first.output?.url ?? '', again.output?.url ?? '']
    assert.ok((await fetchImage(api, one)).equals(await fetchImage(api, other)))
    ok(await api.delete(`/storage/images/${/img_\w+/.exec(one)?.[0]}`))
    assert.ok((await fetchImage(api, other)).length > 0)
  })

  test('with another parameter only the affected steps run, in another workflow too, and the dry run predicts it', async () => {
    const document = heavy()
    const { id } = await save(api, document)
    await execute(id)
    await served('all steps from the cache', id, ['last'])
    const predicted = async (sigma: number) => {
      const reply = await api.post<Validation>('/workflows/validate', { document, parameters: { sigma } })
      return Object.fromEntries(ok(reply).steps.map(({ node, servedFrom }) => [node, servedFrom]))
    }
    assert.deepEqual(await predicted(9), { base: 'cache', soft: 'cache', calm: 'cache', last: 'cache' })
    // The output is stored a moment before its steps.
    const stored = { base: 'cache', soft: 'cache', calm: 'cache', last: null }
    await until('its steps to be stored', async () => isDeepStrictEqual(await predicted(12), stored) || undefined)
    const { from } = await execute(id, { sigma: 12 })
    assert.deepEqual(from, { base: 'cache', soft: 'cache', calm: 'cache', last: 'completed' })
    const other = await save(api, { ...document, name: 'Other', output: { node: 'calm', format: 'png' } })
    assert.equal((await execute(other.id)).from.calm, 'cache')
  })

  test('a node with `cache: false` and the steps after it run each time', async () => {
    const document = heavy()
    const { id } = await save(api, {
      ...document,
      nodes: { ...document.nodes, calm: { ...document.nodes.calm, cache: false } },
    })
    await execute(id)
    const { from } = await served('the step before it from the cache', id, ['soft'])
    assert.deepEqual(from, { base: 'cache', soft: 'cache', calm: 'completed', last: 'completed' })
  })

  test('another account never gets a cached result of this one', async () => {
    const { api: other } = await secondAccount()
    const document = heavy()
    const [ownId, otherId] = [await save(api, document), await save(other, document)]
    await execute(ownId.id)
    await served('all steps from the cache', ownId.id, ['last'])
    const { from } = await execute(otherId.id, {}, other)
    assert.deepEqual(from, { base: 'completed', soft: 'completed', calm: 'completed', last: 'completed' })
  })

  test('sources with the same bytes are the same source; a source on the web is fetched each time and identified by its bytes', async () => {
    const photo = await plain('png', 900, 800, `#${String(100_000 + (Date.now() % 900_000))}`)
    let bytes = photo
    const url = outside.serve('/photo', (_request, response) => response.end(bytes))
    const document = heavy()
    const { id } = await save(api, {
      ...document,
      parameters: [...document.parameters, { name: 'photo', type: 'string', required: true }],
      nodes: { ...document.nodes, base: { type: 'image', params: { source: '{{ photo }}' } } },
    })
    const [one, same] = [await upload(api, photo), await upload(api, photo)]
    await execute(id, { photo: one.id })
    const rest = { soft: 'cache', calm: 'cache', last: 'cache' }
    assert.deepEqual((await served('its steps', id, ['last'], { photo: one.id })).from, { base: 'cache', ...rest })
    assert.deepEqual((await execute(id, { photo: same.url })).from, { base: 'cache', ...rest })
    const requestsBefore = outside.requested.length
    assert.deepEqual((await execute(id, { photo: url })).from, { base: 'completed', ...rest })
    assert.equal(outside.requested.length, requestsBefore + 1)
    bytes = await plain('png', 901, 800)
    const { from } = await execute(id, { photo: url })
    assert.deepEqual(Object.values(from), ['completed', 'completed', 'completed', 'completed'])
  })
})
