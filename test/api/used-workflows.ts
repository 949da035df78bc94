/** Nodes that use other workflows, over HTTP. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { area } from '../harness/area.ts'
import { type Client, issuePaths, ok, refused } from '../harness/client.ts'
import type { Document } from '../harness/documents.ts'
import { newAccount } from '../harness/shared.ts'
import type { Execution, Workflow } from '../harness/types.ts'
import { until } from '../harness/wait.ts'
import { save } from '../harness/workflows.ts'

type User = { workflowId: string; name: string; slug?: string; version: number; usedVersion: number }

interface Listed {
  id: string
  slug?: string
  version: number
}

interface Steps {
  steps: { node: string; servedFrom?: string; count?: number }[]
}

let slugs = 0
const newSlug = () => `badge-${++slugs}`

/** A square of a photo with a bar. */
const badge = (color = '#ff0000'): Document & { outputs: object } => ({
  name: 'Badge',
  parameters: [
    { name: 'photo', type: 'string', format: 'image', required: true },
    { name: 'size', type: 'number', default: 40 },
  ],
  nodes: {
    photo: { type: 'image', params: { source: '{{ photo }}' } },
    square: { type: 'resize', inputs: { image: 'photo' }, params: { width: '{{ size }}', height: '{{ size }}' } },
    bar: { type: 'canvas', params: { width: 20, height: 4, color } },
    badge: { type: 'composite', inputs: { image: 'square', overlay: 'bar' } },
  },
  output: { node: 'badge', format: 'png' },
  outputs: { bar: { node: 'bar', format: 'png' } },
})

function messageOf(reply: Parameters<typeof refused>[0]): string {
  return (refused(reply, 'invalid_request').issues ?? []).map(({ message }) => message).join(' ')
}

const paint = { type: 'canvas', params: { width: 90, height: 60, color: '#00ff00' } }
const using = (workflow: string, node: object = {}, sigma = 2): Document => ({
  name: 'Using',
  nodes: {
    paint,
    badge: { type: 'workflow', workflow, inputs: { photo: 'paint' }, ...node },
    soft: { type: 'blur', inputs: { image: 'badge' }, params: { sigma } },
  },
  output: { node: 'soft', format: 'png' },
})

area('workflows that use workflows', { concurrency: 4 }, () => {
  let api: Client
  before(async () => {
    api = (await newAccount()).api
  })

  const component = async (document: Document = badge()): Promise<{ id: string; slug: string }> => {
    const slug = newSlug()
    const { id } = await save(api, { ...document, slug } as Document)
    return { id, slug }
  }
  const execute = async (workflowId: string, options: object = {}) =>
    ok(await api.post<Execution>('/workflows/execute', { workflowId, ...options }))
  const bytesOf = async ({ output }: Execution): Promise<Buffer> => {
    assert.ok(output)
    return Buffer.from(await (await fetch(output.url)).arrayBuffer())
  }
  const stepsOf = async ({ executionId }: Execution) =>
    ok(await api.get<Steps>(`/workflows/executions/${executionId}/steps`)).steps

  test('gives the bytes of the same nodes written by hand, and finds their results in the cache', async () => {
    const { slug } = await component()
    const used = await save(api, using(`${slug}@1`, { params: { size: 900 } }, 40))
    const byHand = await save(api, {
      name: 'By hand',
      nodes: {
        paint,
        square: { type: 'resize', inputs: { image: 'paint' }, params: { width: 900, height: 900 } },
        bar: { type: 'canvas', params: { width: 20, height: 4, color: '#ff0000' } },
        both: { type: 'composite', inputs: { image: 'square', overlay: 'bar' } },
        // Only a result that takes longer than reading it is stored.
        soft: { type: 'blur', inputs: { image: 'both' }, params: { sigma: 40 } },
      },
      output: { node: 'soft', format: 'png' },
    })
    const first = await execute(used.id)
    const steps = await stepsOf(first)
    assert.deepEqual(steps.map(({ node }) => node).sort(), [
      'badge/badge',
      'badge/bar',
      'badge/square',
      'paint',
      'soft',
    ])
    // A result is stored next to the execution, which doesn't wait for it.
    await until('the last step of the used workflow from the cache', async () =>
      (await stepsOf(await execute(used.id))).find(({ node, servedFrom }) => node === 'soft' && servedFrom === 'cache'),
    )
    const second = await execute(byHand.id)
    assert.deepEqual(await bytesOf(first), await bytesOf(second))
    const soft = (await stepsOf(second)).find(({ node }) => node === 'soft')
    assert.equal(soft?.servedFrom, 'cache')
  })

  test('runs once for each item, and returns a list', async () => {
    const { slug } = await component()
    const { id } = await save(api, {
      name: 'Row',
      nodes: {
        paint,
        badge: {
          type: 'workflow',
          workflow: `${slug}@1`,
          each: [10, 20, 30],
          inputs: { photo: 'paint' },
          params: { size: '{{ item }}' },
        },
        turned: { type: 'rotate', inputs: { image: 'badge' }, params: { angle: 90 } },
        row: { type: 'stack', inputs: { images: 'badge' }, params: { direction: 'horizontal' } },
        rows: { type: 'stack', inputs: { images: ['row', 'turned'] }, params: { direction: 'vertical' } },
      },
      output: { node: 'rows', format: 'png' },
    })
    const execution = await execute(id)
    const steps = await stepsOf(execution)
    assert.ok(steps.some(({ node }) => node === 'badge/3/square'))
    assert.equal(steps.find(({ node }) => node === 'badge')?.count, 3)
  })

  test('keeps the version and the workflow of a slug that moves to another workflow', async () => {
    const { id, slug } = await component(badge('#ff0000'))
    const { id: user } = await save(api, using(`${slug}@1`))
    const before = await bytesOf(await execute(user))
    ok(await api.put(`/workflows/${id}`, badge('#0000ff')))
    ok(await api.delete(`/workflows/${id}/slug`))
    await save(api, { ...badge('#ffff00'), slug } as Document)
    assert.deepEqual(await bytesOf(await execute(user)), before)
    // The same document now means the other workflow.
    const again = ok(await api.put<Workflow & { version: number }>(`/workflows/${user}`, using(`${slug}@1`)))
    assert.equal(again.version, 2)
    assert.notDeepEqual(await bytesOf(await execute(user)), before)
    assert.deepEqual(await bytesOf(await execute(user, { version: 1 })), before)
  })

  test('lists its users, and is deleted only after them', async () => {
    const { id, slug } = await component()
    const { id: user } = await save(api, using(`${slug}@1`))
    const { usedBy, outputs } = ok(await api.get<{ usedBy: User[]; outputs: object[] }>(`/workflows/${id}`))
    assert.deepEqual(outputs, [{ name: 'bar', kind: 'image' }])
    assert.equal(ok(await api.get<Workflow>(`/workflows/${slug}`)).id, id)
    assert.equal(ok(await api.get<Document>(`/workflows/${slug}/document`)).name, 'Badge')
    const { workflows } = ok(await api.get<{ workflows: Listed[] }>('/workflows?limit=100&include=version'))
    const listed = ({ slug, version }: Listed) => ({ slug, version })
    assert.deepEqual(workflows.filter((each) => each.id === id).map(listed), [{ slug, version: 1 }])
    assert.deepEqual(workflows.filter((each) => each.id === user).map(listed), [{ slug: undefined, version: 1 }])
    assert.deepEqual(usedBy, [{ workflowId: user, name: 'Using', version: 1, usedVersion: 1 }])
    assert.match(messageOf(await api.delete(`/workflows/${id}`)), new RegExp(user))
    // An earlier version can still be executed.
    ok(await api.put(`/workflows/${user}`, { name: 'Without', nodes: { paint }, output: { node: 'paint' } }))
    refused(await api.delete(`/workflows/${id}`), 'invalid_request')
    ok(await api.delete(`/workflows/${user}`))
    ok(await api.delete(`/workflows/${id}`))
    refused(await api.post('/workflows', using(`${slug}@1`)), 'invalid_request')
  })

  test('refuses a cycle when it is saved and when a draft is published, with its path', async () => {
    const { id, slug } = await component()
    const { id: user } = await save(api, using(`${id}@1`))
    const cyclic = using(`${user}@1`, { inputs: {} })
    const found = await api.put(`/workflows/${id}`, cyclic)
    assert.deepEqual(issuePaths(found), ['nodes.badge.workflow'])
    assert.match(messageOf(found), /uses this workflow/)
    ok(await api.put(`/workflows/${id}/draft`, { document: using(`${slug}@1`) }), 201)
    const published = await api.post(`/workflows/${id}/draft/publish`, {})
    assert.match(messageOf(published), /which is this workflow/)
  })

  test('drafts run with the workflows that they use', async () => {
    const { slug } = await component()
    const { id } = await save(api, using(`${slug}@1`))
    ok(await api.put(`/workflows/${id}/draft`, { document: using(`${slug}@1`, { params: { size: 25 } }) }), 201)
    const execution = ok(await api.post<Execution>(`/workflows/${id}/draft/execute`, {}))
    assert.equal(execution.output?.width, 25)
    const one = ok(await api.post<Execution>(`/workflows/${id}/draft/execute`, { node: 'badge' }))
    assert.equal(one.output?.width, 25)
  })

  test('no account can use a workflow of another one, by slug or id', async () => {
    const { id, slug } = await component()
    const other = (await newAccount()).api
    for (const name of [id, slug]) {
      const theirs = await other.post('/workflows', using(`${name}@1`))
      assert.deepEqual(issuePaths(theirs), ['nodes.badge.workflow'])
      const missing = await other.post('/workflows', using(name === id ? `${id.slice(0, -1)}0@1` : 'no-such-badge@1'))
      const text = (reply: typeof theirs) => messageOf(reply).replace(/"[^"]*@1"/, '"..."')
      assert.equal(text(theirs), text(missing))
    }
  })

  test('refuses exponential nesting quickly, and lists of too many nodes when they are executed', async () => {
    let name = `${(await component({ name: 'Leaf', nodes: { paint }, output: { node: 'paint' } })).slug}@1`
    const eight = (workflow: string): Document => {
      const ids = Array.from({ length: 8 }, (_, i) => `n${i}`)
      const nodes = Object.fromEntries(ids.map((id) => [id, { type: 'workflow', workflow }]))
      return {
        name: 'Eight',
        nodes: { ...nodes, all: { type: 'stack', inputs: { images: ids }, params: { direction: 'vertical' } } },
        output: { node: 'all' },
      }
    }
    for (let level = 0; level < 2; level += 1) name = `${(await component(eight(name))).slug}@1`
    // 8 x 8 x 8 leaves and their stacks are within the limit, and the next level is not.
    name = `${(await component(eight(name))).slug}@1`
    const tooMany = await api.post('/workflows', eight(name))
    assert.deepEqual(issuePaths(tooMany), ['nodes'])
    assert.match(messageOf(tooMany), /at most 1000 nodes/)
    const { id } = await save(api, {
      name: 'List',
      nodes: {
        all: { type: 'workflow', workflow: name, each: 100 },
        one: { type: 'stack', inputs: { images: 'all' }, params: { direction: 'vertical' } },
      },
      output: { node: 'one' },
    })
    const refusedList = await api.post('/workflows/execute', { workflowId: id })
    assert.deepEqual(issuePaths(refusedList), ['nodes.all.each'])
  })
})
